// Click a heading to sort its table; click again to turn the order round.
for (const head of document.querySelectorAll("th")) {
  head.addEventListener("click", () => {
    const body = head.closest("table").tBodies[0];
    const column = head.cellIndex;
    const down = head.dataset.order !== "down";
    head.dataset.order = down ? "down" : "up";
    const key = (row) => {
      const cell = row.cells[column];
      return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
    };
    const rows = [...body.rows].sort((a, b) => {
      const x = key(a), y = key(b);
      const order = typeof x === "number" ? x - y : -String(x).localeCompare(String(y));
      return down ? -order : order;
    });
    body.append(...rows);
  });
}
