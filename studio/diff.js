// The search and the filter of a page of differences. Without this script everything is shown.
"use strict";
(() => {
  const form = document.querySelector("header form");
  const search = form.querySelector("input[type=search]");
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const articles = [...document.querySelectorAll("article")];
  const chapters = [...document.querySelectorAll("details.section")];
  const links = [...document.querySelectorAll("nav a")];
  const texts = new Map(articles.map((one) => [one, one.textContent.toLowerCase()]));
  const folded = new Map(chapters.map((one) => [one, !one.open]));
  for (const box of boxes) {
    const number = articles.filter((one) => one.dataset.sort === box.name).length;
    box.parentElement.querySelector("span").textContent = number;
  }
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const sorts = new Set(boxes.filter((box) => box.checked).map((box) => box.name));
    let shown = 0;
    for (const one of articles) {
      const text = texts.get(one);
      one.hidden = !sorts.has(one.dataset.sort) || !words.every((word) => text.includes(word));
      shown += one.hidden ? 0 : 1;
    }
    chapters.forEach((chapter, i) => {
      const left = [...chapter.querySelectorAll("article")].filter((one) => !one.hidden).length;
      chapter.hidden = left === 0;
      chapter.open = words.length > 0 || !folded.get(chapter);
      chapter.querySelector("summary span").textContent = left;
      links[i].parentElement.hidden = left === 0;
      links[i].querySelector("span").textContent = left;
    });
    form.querySelector("output").textContent =
      shown === articles.length ? "" : `${shown} of ${articles.length}`;
  };
  for (const link of links) {
    link.addEventListener("click", () => {
      document.querySelector(link.getAttribute("href")).open = true;
    });
  }
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
})();
