/** The copy buttons of the page at `/`. */
(() => {
  document.documentElement.classList.add("js");
  for (const button of /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-copy]")]))
    button.addEventListener("click", async () => {
      const { copy = "", of = "" } = button.dataset;
      try {
        await navigator.clipboard.writeText(copy);
        const label = button.textContent;
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = label;
        }, 1500);
      } catch {
        const text = document.getElementById(of);
        if (text) getSelection()?.selectAllChildren(text);
      }
    });
})();
