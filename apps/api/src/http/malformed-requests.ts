import { randomUUID } from "node:crypto";
import { type Server, STATUS_CODES } from "node:http";
import { errorEnvelope, Refusal } from "@tillgate/contract";
import type { Logger } from "pino";

/** What Node's HTTP parser refuses before there is a request, by its error's code. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: Refusal.HeadersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: Refusal.RequestTooSlow,
};

/** Answers bytes that are no HTTP request with the error envelope too, and ends their connection. */
export function answerMalformedRequests(server: Server, log: Pick<Logger, "info">): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const requestId = `req_${randomUUID().replaceAll("-", "")}`;
    const envelope = errorEnvelope(REFUSALS[error.code ?? ""] ?? Refusal.MalformedRequest, "pay");
    const status = envelope.message.code;
    log.info({ requestId, code: error.code, status }, "a malformed request was refused");
    const body = JSON.stringify(envelope);
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    return socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}
