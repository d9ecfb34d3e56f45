// Talking to the server, wherever its pages begin: behind a proxy that may be below a path. Keys stand in the fragment of a link, which is never sent; in requests they
// go in a header.

const { pathname } = new URL(import.meta.url);

/** Where the server's pages begin: "/", or the path below which a proxy offers them. */
export const HOME = pathname.slice(0, pathname.lastIndexOf("/static/") + 1);

/** The version of this page: a server of another one tells so. */
const VERSION = pathname.slice(HOME.length).split("/")[1] ?? "";

/** The address of something the server has: `address("/workshop")`. */
export function address(path) {
  return HOME + path.slice(1);
}

export class Wrong extends Error {
  constructor(status, text, source = "", ways = undefined) {
    super(text);
    this.status = status;
    this.source = source;
    this.ways = ways; // of a table that waits for its host
  }
}

const LOST = "The server cannot be reached. The page goes on as soon as it answers again.";

async function answered(path, options) {
  let response;
  try {
    response = await fetch(address(path), { cache: "no-store", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Wrong(0, LOST);
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Wrong(response.status, told.error || `The server says ${response.status}.`, told.source || "", told.ways);
}

function headers(key, more = {}) {
  return key ? { Authorization: `Bearer ${key}`, ...more } : more;
}

/** A document. */
export async function get(path, key = "", signal = undefined) {
  return (await answered(path, { headers: headers(key), signal })).json();
}

/** A text, such as a drawing. */
export async function text(path, key = "") {
  return (await answered(path, { headers: headers(key) })).text();
}

/** Something sent, and what came back. */
export async function post(path, body, key = "", signal = undefined) {
  const options = { method: "POST", headers: headers(key, { "Content-Type": "application/json" }), body: JSON.stringify(body), signal };
  const response = await answered(path, options);
  return response.status === 204 ? {} : response.json();
}

/**
 * Events of the server, for ever: a lost connection is taken up again, sooner or later. `heard` gets
 * the name and the data of an event, `state` is told "open" and "lost". Gives a way to stop.
 */
export function listen(path, key, heard, state = () => {}) {
  const stop = new AbortController();
  let wait = 250;
  const again = async () => {
    while (!stop.signal.aborted) {
      try {
        const response = await answered(path, { headers: headers(key, { Accept: "text/event-stream", "Ziggurat-Page": VERSION, "Ziggurat-Changes": "1" }), signal: stop.signal });
        state("open");
        wait = 250;
        await read(response.body.getReader(), heard);
        throw new Wrong(0, LOST);
      } catch (error) {
        if (stop.signal.aborted) return;
        state(error.status && error.status !== 429 && error.status < 500 ? "refused" : "lost", error);
        if (error.status === 401 || error.status === 403 || error.status === 404) return;
      }
      await new Promise((next) => { setTimeout(next, wait); });
      wait = Math.min(wait * 2, 5000);
    }
  };
  again();
  return () => stop.abort();
}

/** A value after a change, as `docs/web.md` tells of changes. */
export function changed(value, change) {
  if (Array.isArray(change)) return change[0];
  if (change.items) {
    const list = [...value];
    for (const [at, gone, come] of change.items) list.splice(at, gone, ...come);
    return list;
  }
  const found = { ...value };
  for (const [name, one] of Object.entries(change.members)) {
    if (one === null) delete found[name];
    else found[name] = changed(found[name], one);
  }
  return found;
}

async function read(reader, heard) {
  const decoder = new TextDecoder();
  let kept = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    kept += decoder.decode(value, { stream: true });
    const parts = kept.split(/\r?\n\r?\n/);
    kept = parts.pop();
    for (const part of parts) {
      const lines = part.split(/\r?\n/);
      const name = lines.filter((line) => line.startsWith("event:")).map((line) => line.slice(6).trim())[0] || "message";
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart()).join("\n");
      if (data) heard(name, JSON.parse(data));
    }
  }
}
