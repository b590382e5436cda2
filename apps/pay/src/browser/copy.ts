const SHOWN_MS = 2500;

/** Copies the payment address. Where the browser forbids that (plain http), the address is left selected. */
export function startCopying(main: HTMLElement): void {
  const button = main.querySelector<HTMLElement>('[data-testid="pay-copy"]');
  const address = main.querySelector<HTMLElement>("[data-url]");
  if (button === null || address === null) return;
  const label = button.textContent ?? "";
  button.addEventListener("click", async () => {
    const copied = await copy(address);
    button.textContent = (copied ? button.dataset.copied : button.dataset.failed) ?? label;
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  });
}

async function copy(address: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(address);
    return document.execCommand("copy");
  }
}
