import { createHmac } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";

/** An event as Tillgate sends it. @param key the bytes that sign; a client secret as it is */
export function signedEvent(
  event: { id: string; event: string } & Record<string, unknown>,
  key: string | Buffer,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ timestamp: "2026-11-21T09:31:12+00:00", ...event });
  const at = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", key).update(`${event.id}.${at}.${body}`).digest("base64");
  return {
    body,
    headers: { "webhook-id": event.id, "webhook-timestamp": at, "webhook-signature": `v1,${signature}` },
  };
}

/** Sends bytes to a server on this machine and closes the connection when `until` says so. @returns what came back */
async function sendRaw(port: number, text: string, { breakOff }: { breakOff: boolean }): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    answer += chunk;
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text);
  if (breakOff) {
    // Long enough for the server to begin with the request: its head is read in one piece.
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    return "";
  }
  await once(socket, "close");
  return answer;
}

/** What strangers send to every public address: none of it may end the process behind it. */
export async function sendHostileRequests(port: number): Promise<void> {
  const head = (line: string, length: number) =>
    `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  await sendRaw(port, `${head("POST /", 1000)}{"half":`, { breakOff: true });
  await sendRaw(port, head("POST /", 1000), { breakOff: true });
  await sendRaw(port, head("GET //", 0), { breakOff: false });
  await sendRaw(port, head("GET //?a=%", 0), { breakOff: false });
  await sendRaw(port, head("DELETE /", 0), { breakOff: false });
  await sendRaw(port, `${head("POST /", 2)}{}`, { breakOff: false });
  await sendRaw(port, "nonsense\r\n\r\n", { breakOff: false });
}
