import { type CheckoutStatus, checkoutStatusSchema } from "@tillgate/contract";
import type { Page } from "./checkout.js";

/** An open status stream, read as it comes. */
export type EventStream = {
  status: number;
  headers: Headers;
  /** The statuses so far. */
  seen: (CheckoutStatus & { at: number })[];
  /** What came, by name: statuses and signs of life. */
  names: string[];
  /** Settles when the server ends the stream. */
  ended: Promise<void>;
  /** The shopper closes the page. */
  leave(): void;
};

export async function openStream(page: Page, headers: Record<string, string> = {}): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(`${page.address}/events`, {
    headers: { ...page.headers(), ...headers },
    signal: leaving.signal,
  });
  const seen: EventStream["seen"] = [];
  const names: string[] = [];
  const read = async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        // A browser hides comments, and events without data, from the page.
        const [, name] = /^(?:id: \d+\n)?event: (\w+)\ndata: ./.exec(message) ?? [];
        if (name !== undefined) names.push(name);
        const data = /^id: (\d+)\nevent: status\ndata: (.*)$/.exec(message);
        if (!data?.[2]) continue;
        const status = checkoutStatusSchema.strict().parse(JSON.parse(data[2]));
        if (String(status.version) !== data[1])
          throw new Error(`id ${data[1]} is not the version of ${data[2]}`);
        seen.push({ ...status, at: performance.now() });
      }
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return {
    status: response.status,
    headers: response.headers,
    seen,
    names,
    ended,
    leave: () => leaving.abort(),
  };
}
