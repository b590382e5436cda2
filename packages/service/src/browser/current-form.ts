/** The form may have been replaced when its view was rendered again. Undefined if the page no longer requests this passkey. */
export function findCurrentForm(form: HTMLFormElement): HTMLFormElement | undefined {
  if (form.isConnected) return form;
  const use = form.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.passkey;
  return document.querySelector<HTMLInputElement>(`input[data-passkey="${use}"]`)?.form ?? undefined;
}
