import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { errorEnvelope, Refusal } from "@tillgate/contract";
import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { OperationError } from "../operation-error.js";
import { apiOf } from "./shared/api-of.js";

/** What Node's HTTP parser refuses before there is a request, by its error's code. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: Refusal.HeadersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: Refusal.RequestTooSlow,
};

/** Answers what Node would answer itself, without a body, with the error envelope: bytes that are no HTTP request, and an unknown `Expect`. */
export function answerMalformedRequests(server: Server, log: Pick<Logger, "info">): void {
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const envelope = errorEnvelope(Refusal.UnknownExpectation, apiOf(request.url ?? ""));
    response.writeHead(envelope.message.code, {
      "Content-Type": "application/json; charset=utf-8",
      "X-Request-Id": `req_${randomUUID().replaceAll("-", "")}`,
      Connection: "close",
    });
    response.end(JSON.stringify(envelope));
  });
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

/** RFC 9112, 3.2: a request of HTTP/1.1 without `Host` is answered 400. */
export const requireHost: RequestHandler = (request, _response, next) => {
  if (request.headers.host === undefined && request.httpVersion === "1.1")
    throw new OperationError(Refusal.MissingHost);
  next();
};
