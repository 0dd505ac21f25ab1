/** The copy buttons of the page at `/`. */
(() => {
  document.documentElement.classList.add("js");
  for (const button of /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-copy]")]))
    button.addEventListener("click", async () => {
      const { copy = "", of = "" } = button.dataset;
      try {
        await navigator.clipboard.writeText(copy);
        button.textContent = "Copied";
      } catch {
        const text = document.getElementById(of);
        if (text) getSelection()?.selectAllChildren(text);
      }
    });
})();
