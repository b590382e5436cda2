import { randomUUID } from "node:crypto";
import { type Server, STATUS_CODES } from "node:http";
import type { ErrorEnvelope } from "@tillgate/contract";
import type { Logger } from "pino";

/** What Node's own reader refuses before there is a request, by its error's code. */
const ANSWERS: Record<string, [status: number, text: string]> = {
  HPE_HEADER_OVERFLOW: [431, "The request's headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
};

/** Answers what is no HTTP request with the error envelope too, and ends its connection. */
export function answerMalformedRequests(server: Server, log: Pick<Logger, "info">): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const requestId = `req_${randomUUID().replaceAll("-", "")}`;
    const [status, text] = ANSWERS[error.code ?? ""] ?? [400, "Malformed request"];
    log.info({ requestId, code: error.code, status }, "a malformed request was refused");
    const envelope: ErrorEnvelope = { message: { code: status, error: [text] }, data: [], type: "error" };
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
