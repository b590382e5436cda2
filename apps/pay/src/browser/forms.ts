/** A form whose answer has not come after this long may be sent again; the server decides what that does. */
const RELEASE_MS = 15_000;

/** Sends each form once, however often it is clicked, and shows that it is under way. */
export function sendFormsOnce(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return;
    if (document.querySelector("form[data-sent]") !== null) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "";
    for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-once] button")) {
      button.setAttribute("aria-disabled", "true");
      if (!form.contains(button)) continue;
      button.dataset.label = button.textContent ?? "";
      button.textContent = button.dataset.busy ?? button.dataset.label;
    }
    setTimeout(releaseForms, RELEASE_MS);
  });
}

/** Makes the forms usable again, for a page that comes back from the browser's memory. */
export function releaseForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sent]")) delete form.dataset.sent;
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-once] button")) {
    button.removeAttribute("aria-disabled");
    if (button.dataset.label !== undefined) button.textContent = button.dataset.label;
    delete button.dataset.label;
  }
}
