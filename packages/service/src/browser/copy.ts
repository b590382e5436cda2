const SHOWN_MS = 2500;

/**
 * Makes the copy buttons work. `data-copy` is the ID of the element to copy. `data-copied` and `data-failed` are labels that the button shows, and
 * that are announced.
 */
export function startCopying(main: HTMLElement, announce: (text: string) => void): void {
  for (const button of main.querySelectorAll<HTMLElement>("[data-copy]")) {
    const source = document.getElementById(button.dataset.copy ?? "");
    if (source === null) continue;
    const label = button.textContent ?? "";
    button.addEventListener("click", async () => {
      const copied = await copy(source);
      button.textContent = (copied ? button.dataset.copied : button.dataset.failed) ?? label;
      announce(button.textContent);
      setTimeout(() => {
        button.textContent = label;
      }, SHOWN_MS);
    });
  }
}

/** Copies an element's text. Without the Clipboard API (plain http), selects the element and copies the selection. @returns whether it was copied. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(getCopyText(source));
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand("copy");
  }
}

/** Returns the text to copy. In a receipt, each label and value share a line. */
function getCopyText(source: HTMLElement): string {
  const lines = [...source.querySelectorAll("[data-line]")];
  const getText = ({ textContent }: Element) => (textContent ?? "").replace(/\s+/g, " ").trim();
  if (lines.length === 0) return getText(source);
  return lines
    .map((line) =>
      [...(line.firstElementChild?.tagName === "DT" ? line.children : [line])].map(getText).join(": "),
    )
    .join("\n");
}
