import { errorEnvelope, Refusal } from "@tillgate/contract";
import type { Request, Response } from "express";
import { apiOf } from "./api-of.js";

/**
 * How much of a refused body is still read and dropped, and for how long. Many senders read the answer only after they have
 * sent everything, and closing a connection with unread bytes loses the answer.
 */
const LINGER_BYTES = 1024 * 1024;
const LINGER_MS = 1_000;

/** Answers 413 at once, without waiting for the end of the body, and closes the connection soon after. */
export function refuseLargeBody(request: Request, response: Response): void {
  const envelope = errorEnvelope(Refusal.BodyTooLarge, apiOf(request.originalUrl));
  const body = JSON.stringify(envelope);
  response.status(envelope.message.code).set({
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  });
  // The reader has the whole answer. Its end closes the connection, so it waits for the sender.
  response.write(body);
  let dropped = 0;
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > LINGER_BYTES) end();
  };
  const timer = setTimeout(() => end(), LINGER_MS);
  const end = () => {
    clearTimeout(timer);
    request.off("data", drop);
    response.end();
  };
  request.once("end", end).once("close", end).on("data", drop);
}
