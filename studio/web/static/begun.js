// A choice that is put together survives a reload: the tab keeps it until it is sent or given up.

const place = (table) => `begun ${table.id} ${table.view?.seat ?? ""}`;

/** Keep what is chosen so far, or nothing if nothing is. */
export function keepChoice(asking) {
  const { table, decision, said, action, args, picked, chosen, given, busy } = asking;
  if (!decision || busy || !asking.isBegun()) {
    forgetChoice(table);
    return;
  }
  const choice = { id: decision.id, said, action: action?.id ?? null, args, picked, chosen: [...(chosen ?? [])], given };
  try {
    sessionStorage.setItem(place(table), JSON.stringify(choice));
  } catch {
    forgetChoice(table); // there is no room: a reload begins anew
  }
}

/** Return the choice from before a reload, or null. */
export function keptChoice(table) {
  try {
    return JSON.parse(sessionStorage.getItem(place(table)));
  } catch {
    return null;
  }
}

/** Forget the choice: it was sent or given up. */
export function forgetChoice(table) {
  sessionStorage.removeItem(place(table));
}
