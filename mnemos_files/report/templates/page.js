(() => {
  "use strict";
  const at = (id) => document.getElementById(id);
  const words = at("words"), state = at("state"), told = at("told");
  const cards = [...document.querySelectorAll("article")].map((card) => ({ card, text: "" }));
  const projects = [...document.querySelectorAll(".project")];
  let waiting = 0;

  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const one of cards) {
      one.text ||= one.card.textContent.toLowerCase();
      const isOf = !state.value || one.card.dataset.state.split(" ").includes(state.value);
      const fits = isOf && wanted.every((word) => one.text.includes(word));
      one.card.hidden = !fits;
      shown += fits;
    }
    const isAll = !state.value && !wanted.length;
    for (const one of projects) one.hidden = !isAll && !one.querySelector("article:not([hidden])");
    told.textContent = isAll ? "" : `${shown} of ${cards.length} memories`;
  };

  const clear = () => { words.value = ""; state.value = ""; apply(); };

  const reveal = () => {
    const target = at(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest("[hidden]")) return;
    clear();
    target.scrollIntoView();
  };

  words.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  state.addEventListener("change", apply);
  at("clear").addEventListener("click", clear);
  addEventListener("hashchange", reveal);
  at("filter").hidden = false;
  apply();
})();
