// biome-ignore-all lint/correctness/noUnusedVariables: theme-changes.ts puts this function into a component of VitePress
/** Keeps the letters that are typed before the search box has the focus, and then gives them to it. Runs in the browser. */
function keepLetters() {
  let typed = "";
  const box = () => document.querySelector(".VPLocalSearchBox input");
  const keep = (event) => {
    if (event.key === "Escape") typed = "";
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    typed += event.key;
  };
  const give = () => {
    const input = box();
    if (input === null || document.activeElement !== input) {
      requestAnimationFrame(give);
      return;
    }
    window.removeEventListener("keydown", keep, true);
    if (typed === "") return;
    input.value = typed;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  window.addEventListener("keydown", keep, true);
  requestAnimationFrame(give);
}
