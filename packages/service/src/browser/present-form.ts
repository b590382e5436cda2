/**
 * The form as the page has it now. A view that is drawn again meanwhile replaces a form whose passkey is still awaited.
 * @returns undefined where the page no longer asks for this passkey.
 */
export function presentForm(form: HTMLFormElement): HTMLFormElement | undefined {
  if (form.isConnected) return form;
  const use = form.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.passkey;
  return document.querySelector<HTMLInputElement>(`input[data-passkey="${use}"]`)?.form ?? undefined;
}
