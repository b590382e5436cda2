import { type CheckoutStatus, checkoutStatusSchema } from "@tillgate/contract";
import type { CheckoutPage } from "./checkout.js";

export type EventStream = {
  status: number;
  headers: Headers;
  statuses: (CheckoutStatus & { at: number })[];
  /** Names of all events so far: statuses and keep-alives. */
  eventNames: string[];
  ended: Promise<void>;
  close(): void;
};

export async function openStream(
  page: CheckoutPage,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const leaving = new AbortController();
  const response = await fetch(`${page.address}/events`, {
    headers: { ...page.headers(), ...headers },
    signal: leaving.signal,
  });
  const statuses: EventStream["statuses"] = [];
  const eventNames: string[] = [];
  const read = async () => {
    let text = "";
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        // Browsers do not dispatch comments or events without data.
        const [, name] = /^(?:id: \d+\n)?event: (\w+)\ndata: ./.exec(message) ?? [];
        if (name !== undefined) eventNames.push(name);
        const data = /^id: (\d+)\nevent: status\ndata: (.*)$/.exec(message);
        if (!data?.[2]) continue;
        const status = checkoutStatusSchema.strict().parse(JSON.parse(data[2]));
        if (String(status.version) !== data[1])
          throw new Error(`event ID ${data[1]} is not the version in ${data[2]}`);
        statuses.push({ ...status, at: performance.now() });
      }
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  return {
    status: response.status,
    headers: response.headers,
    statuses: statuses,
    eventNames: eventNames,
    ended,
    close: () => leaving.abort(),
  };
}
