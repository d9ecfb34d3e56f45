// A picture that can be moved and magnified: by wheel, pinch, drag, keys and buttons.

const MOST = 12;

/** Moves `picture` (of a size in its own units) inside `frame`. */
export class Zoom {
  constructor(frame, picture, width, height) {
    Object.assign(this, { frame, picture, width, height, x: 0, y: 0, scale: 1, dragged: false });
    this.pointers = new Map();
    picture.style.transformOrigin = "0 0";
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) frame.addEventListener(name, (event) => this.#up(event));
    new ResizeObserver(() => this.#resized()).observe(frame);
  }

  get least() {
    return Math.min(this.frame.clientWidth / this.width, this.frame.clientHeight / this.height) || 1;
  }

  /** Show all of it, or a part: `[left, top, right, bottom]` in its units. */
  fit(part = null) {
    const [left, top, right, bottom] = part || [0, 0, this.width, this.height];
    const { clientWidth, clientHeight } = this.frame;
    if (!clientWidth || !clientHeight) return;
    this.scale = Math.min(clientWidth / (right - left), clientHeight / (bottom - top), this.least * MOST);
    this.x = clientWidth / 2 - ((left + right) / 2) * this.scale;
    this.y = clientHeight / 2 - ((top + bottom) / 2) * this.scale;
    this.fitted = part ? null : true;
    this.#draw();
  }

  /** Magnify around a point of the frame, its middle unless told. */
  by(factor, x = this.frame.clientWidth / 2, y = this.frame.clientHeight / 2) {
    const scale = Math.min(Math.max(this.scale * factor, this.least * 0.9), this.least * MOST);
    const by = scale / this.scale;
    this.x = x - (x - this.x) * by;
    this.y = y - (y - this.y) * by;
    this.scale = scale;
    this.fitted = null;
    this.#draw();
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.fitted = null;
    this.#draw();
  }

  /** Bring a point of the picture into sight, if it is not. */
  reveal(x, y) {
    const [px, py] = [this.x + x * this.scale, this.y + y * this.scale];
    const { clientWidth, clientHeight } = this.frame;
    const edge = Math.min(60, clientWidth / 5);
    const off = (at, size) => (at < edge ? edge - at : at > size - edge ? size - edge - at : 0);
    const [dx, dy] = [off(px, clientWidth), off(py, clientHeight)];
    if (dx || dy) this.pan(dx, dy);
  }

  /** Whether a point of the picture is in sight. */
  sees(x, y) {
    const [px, py] = [this.x + x * this.scale, this.y + y * this.scale];
    return px >= 0 && py >= 0 && px <= this.frame.clientWidth && py <= this.frame.clientHeight;
  }

  /** Whether a key was one of ours. */
  key(event) {
    const step = 60;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key === "+" || event.key === "=") this.by(1.3);
    else if (event.key === "-") this.by(1 / 1.3);
    else if (event.key === "0") this.fit();
    else if (moves[event.key]) this.pan(...moves[event.key]);
    else return false;
    return true;
  }

  #resized() {
    if (this.fitted || !this.drawn) this.fit();
    else this.#draw();
  }

  #draw() {
    const { clientWidth, clientHeight } = this.frame;
    const [w, h] = [this.width * this.scale, this.height * this.scale];
    const within = (at, size, frame) => (size <= frame ? (frame - size) / 2 : Math.min(frame * 0.3, Math.max(at, frame * 0.7 - size)));
    this.x = within(this.x, w, clientWidth);
    this.y = within(this.y, h, clientHeight);
    this.drawn = true;
    this.picture.style.setProperty("--grow", Math.min(2.4, Math.max(1, 0.85 / this.scale)).toFixed(2));
    this.picture.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
  }

  #wheel(event) {
    event.preventDefault();
    const box = this.frame.getBoundingClientRect();
    this.by(Math.exp(-event.deltaY * (event.deltaMode ? 0.06 : 0.0022)), event.clientX - box.left, event.clientY - box.top);
  }

  #down(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.start = [event.clientX, event.clientY];
    if (this.pointers.size === 1) this.dragged = false;
  }

  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (!this.dragged && !others.length && Math.hypot(now[0] - this.start[0], now[1] - this.start[1]) < 6) return;
    if (!this.dragged) {
      this.dragged = true;
      this.frame.setPointerCapture(event.pointerId);
      this.frame.classList.add("dragging");
    }
    this.pointers.set(event.pointerId, now);
    if (!others.length) {
      this.pan(now[0] - before[0], now[1] - before[1]);
      return;
    }
    const box = this.frame.getBoundingClientRect();
    const other = others[0];
    const far = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
    this.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.by(far(now) / far(before), (now[0] + other[0]) / 2 - box.left, (now[1] + other[1]) / 2 - box.top);
  }

  #up(event) {
    this.pointers.delete(event.pointerId);
    if (!this.pointers.size) this.frame.classList.remove("dragging");
  }
}
