/** The receipt's print button. */
export function startPrinting(main: HTMLElement): void {
  main.querySelector('[data-testid="pay-print"]')?.addEventListener("click", () => print());
}
