/**
 * Finds the current version of a form, which is replaced when its view is rendered again.
 * @returns undefined if the page no longer requests this passkey.
 */
export function findCurrentForm(form: HTMLFormElement): HTMLFormElement | undefined {
  if (form.isConnected) return form;
  const use = form.querySelector<HTMLInputElement>("input[data-passkey]")?.dataset.passkey;
  return document.querySelector<HTMLInputElement>(`input[data-passkey="${use}"]`)?.form ?? undefined;
}
