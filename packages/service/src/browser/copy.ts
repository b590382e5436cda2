const SHOWN_MS = 2500;

/** The copy buttons of a view: each names by `data-copy` the element whose text it copies. */
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

/** Where the browser forbids copying (plain http), the text is left selected. */
async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(textOf(source));
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand("copy");
  }
}

/** A receipt is copied line by line, as `data-line` marks them: a name and its value share one. */
function textOf(source: HTMLElement): string {
  const lines = [...source.querySelectorAll("[data-line]")];
  const text = ({ textContent }: Element) => (textContent ?? "").replace(/\s+/g, " ").trim();
  if (lines.length === 0) return text(source);
  return lines
    .map((line) =>
      [...(line.firstElementChild?.tagName === "DT" ? line.children : [line])].map(text).join(": "),
    )
    .join("\n");
}
