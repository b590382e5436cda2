const [LINE_END, QUOTE] = [10, 34];

/**
 * Counts the rows of a file as it downloads: all line breaks outside quoted text except the first. For JSON, the count includes the last
 * line, which is not a row.
 * @param quoted whether quoted text may contain line breaks, as in CSV
 */
export function createRowCounter(quoted: boolean): { take(chunk: Uint8Array): void; rows(): number } {
  let lines = 0;
  let inText = false;
  return {
    take(chunk) {
      for (const byte of chunk) {
        if (byte === QUOTE) inText = quoted && !inText;
        else if (byte === LINE_END && !inText) lines += 1;
      }
    },
    rows: () => Math.max(0, lines - 1),
  };
}

const TOO_MANY_REQUESTS = 429;

function saveAs(name: string, file: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // After this delay, the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Downloads exports without leaving the page: shows the progress in rows, lets the user cancel, and saves only complete files. */
export function startExports(announce: (text: string) => void): void {
  const box = document.querySelector<HTMLElement>("[data-exporting]");
  const line = box?.querySelector<HTMLElement>("[data-line]");
  const cancel = box?.querySelector<HTMLButtonElement>("button");
  if (!box || !line || !cancel) return;
  const showStatus = (key: string, rows = 0, total = 0) => {
    const text = (count: number) => count.toLocaleString(document.documentElement.lang);
    line.textContent = (box.dataset[key] ?? "").replace("{rows}", text(rows)).replace("{total}", text(total));
  };
  let running: AbortController | undefined;
  cancel.addEventListener("click", () => running?.abort());

  const load = async (address: URL, { signal }: AbortController): Promise<void> => {
    const response = await fetch(address, { signal });
    // The session expired: follow the redirect to sign-in.
    if (response.redirected) return location.assign(response.url);
    if (response.status === TOO_MANY_REQUESTS) return showStatus("busy");
    if (!response.ok || response.body === null) return showStatus("broken");
    const total = Number(response.headers.get("x-tillgate-total"));
    const { take, rows } = createRowCounter(address.pathname.endsWith(".csv"));
    const shown = () => Math.min(rows(), total);
    const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        take(chunk);
        showStatus("progress", shown(), total);
        controller.enqueue(chunk);
      },
    });
    const type = response.headers.get("content-type") ?? "";
    const file = await new Response(response.body.pipeThrough(counting), {
      headers: { "content-type": type },
    }).blob();
    if (shown() < total) return showStatus("broken");
    saveAs(address.pathname.split("/").at(-1) ?? "", file);
    showStatus("saved", total);
  };

  const start = async (address: string) => {
    if (running) return;
    const controller = new AbortController();
    running = controller;
    box.hidden = cancel.hidden = false;
    line.textContent = "";
    try {
      await load(new URL(address), controller);
    } catch {
      showStatus(controller.signal.aborted ? "cancelled" : "broken");
    }
    running = undefined;
    cancel.hidden = true;
    announce(line.textContent ?? "");
  };

  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-export]"))
    link.addEventListener("click", (event) => {
      // Leave modified clicks to the browser.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void start(link.href);
    });
}
