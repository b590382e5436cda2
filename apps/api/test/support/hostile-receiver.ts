import { createServer, type Socket } from "node:net";

const page = (body: string, head = "content-type: text/html"): string =>
  `HTTP/1.1 200 OK\r\n${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`;
const failure = (body: string, head = "x-hostile: yes"): string =>
  page(body, head).replace("200 OK", "500 No");

/** Responses that could take superlinear time to parse, by number of repetitions. */
export const HOSTILE_RESPONSES: Record<string, (repetitions: number) => string> = {
  "comments without a page": (n) => page(`${"<!---->".repeat(n)}<`),
  "comments without a page, status 500": (n) => failure(`${"<!---->".repeat(n)}<`),
  "nested comments": (n) => page(`${"<!-- <!-- -->".repeat(n)}x`),
  "unclosed comments": (n) => page(`${"<!--".repeat(n)}`),
  whitespace: (n) => page(`${" \n\t".repeat(n)}x`),
  "whitespace between comments": (n) => page(`${"<!-- --> \n".repeat(n)}x`),
  "unfinished tags": (n) => failure(`${"<htm<!doctype htm<".repeat(n)}`),
  "one long word": (n) => failure("a".repeat(n * 100)),
  "invalid UTF-8 and NUL": (n) => failure("\u{fffd}\0".repeat(n)),
  "deeply nested JSON": (n) => failure(`${'[{"a":'.repeat(n)}`),
  "a long Retry-After": (n) => failure("", `retry-after: ${"9".repeat(n)}`),
  "a Retry-After that resembles a date": (n) => failure("", `retry-after: ${"Mon, 01 Jan ".repeat(n)}`),
  "a Retry-After of spaces and commas": (n) => failure("", `retry-after: ${" ,".repeat(n)}GMT`),
  "many headers": (n) =>
    failure("", Array.from({ length: n }, (_, i) => `x-${i}: ${"v".repeat(20)}`).join("\r\n")),
  "a long status line": (n) => failure("").replace("500 No", `500 ${"No ".repeat(n)}`),
  "a redirect to a long URL": (n) =>
    page("", `location: https://a.example/${"../".repeat(n)}`).replace("200 OK", "302 Found"),
  "a response that is not HTTP": (n) => `${"HTTP/1.1 ".repeat(n)}\r\n\r\n`,
};

/**
 * Numbers of repetitions, in ascending order, so that a test of exponential duration fails at a small size
 * instead of hanging.
 */
export const HOSTILE_SIZES = [8, 16, 20, 22, 24, 26, 100, 1_000];

export type HostileReceiver = {
  urlOf(name: string, repetitions: number): string;
  close(): Promise<void>;
};

/** Starts a receiver on loopback that sends the hostile response selected by the URL's query. */
export async function startHostileReceiver(): Promise<HostileReceiver> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    // Clients may disconnect in the middle of a response.
    socket.on("error", () => socket.destroy());
    socket.once("data", (request) => {
      const [, path = "/"] = request.toString("latin1").split(" ");
      const { searchParams } = new URL(path, "http://receiver");
      const response = HOSTILE_RESPONSES[searchParams.get("name") ?? ""];
      socket.end(response?.(Number(searchParams.get("repetitions"))) ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the receiver has no port");
  return {
    urlOf: (name, repetitions) =>
      `http://127.0.0.1:${bound.port}/?${new URLSearchParams({ name, repetitions: String(repetitions) })}`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
