import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";

/** Creates the headers and body that Tillgate sends for an event. @param key a client secret is used as is @param seconds Unix time of the attempt */
export function createSignedEvent(
  event: { id: string; event: string } & Record<string, unknown>,
  key: string | Buffer,
  seconds = Math.floor(Date.now() / 1_000),
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ timestamp: "2026-11-21T09:31:12+00:00", ...event });
  const at = String(seconds);
  const signature = createHmac("sha256", key).update(`${event.id}.${at}.${body}`).digest("base64");
  return {
    body,
    headers: { "webhook-id": event.id, "webhook-timestamp": at, "webhook-signature": `v1,${signature}` },
  };
}

/** Sends raw bytes to a local server. `abort` closes the connection before the response. @returns the raw response; empty with `abort` */
async function sendRaw(port: number, text: string, { abort }: { abort: boolean }): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let response = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    response += chunk;
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text);
  if (abort) {
    // Gives the server time to start handling the request.
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    return "";
  }
  await once(socket, "close");
  return response;
}

/** Sends malformed and aborted requests, like those that every public address receives. @throws Error if the server no longer accepts connections */
export async function sendHostileRequests(port: number): Promise<void> {
  const requestHead = (line: string, length: number) =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  await sendRaw(port, `${requestHead("POST /", 1000)}{"half":`, { abort: true });
  await sendRaw(port, requestHead("POST /", 1000), { abort: true });
  await sendRaw(port, requestHead("GET //", 0), { abort: false });
  await sendRaw(port, requestHead("GET //?a=%", 0), { abort: false });
  await sendRaw(port, requestHead("DELETE /", 0), { abort: false });
  await sendRaw(port, `${requestHead("POST /", 2)}{}`, { abort: false });
  await sendRaw(port, "nonsense\r\n\r\n", { abort: false });
}
