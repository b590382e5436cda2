import { type CheckoutStatus, ErrorCode, STREAM_ALIVE_EVENT, STREAM_ALIVE_MS } from "@tillgate/contract";
import type { RequestHandler, Response } from "express";
import { readStatus } from "../../checkout/status.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { Listener } from "../../platform/listener.js";
import { reserveSlot } from "../../platform/slots.js";
import { getEndUserAddress } from "../shared/admit.js";
import { pathParameter } from "../shared/parse.js";
import { getRequestId } from "../shared/trace.js";

/** Notifications may be lost, so an open stream also polls. */
const POLL_MS = 3_000;
const RETRY_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

const write = (response: Response, { version, ...status }: CheckoutStatus): void => {
  response.write(`id: ${version}\nevent: status\ndata: ${JSON.stringify({ ...status, version })}\n\n`);
};

/** Writes a heartbeat, which keeps proxies from closing an idle stream and lets the page detect a dead stream. */
const writeHeartbeat = (response: Response): void => {
  response.write(`event: ${STREAM_ALIVE_EVENT}\ndata: {}\n\n`);
};

/**
 * Streams an order's status as server-sent events. Starts with a heartbeat, followed by the current status unless Last-Event-ID shows that the
 * client already has that status. Sends each later status, and ends after a final status. Rejects streams above the limit per order or client
 * address.
 */
export function streamStatus(context: Context, listener: Listener): RequestHandler {
  const { streamsPerOrder, streamsPerIpAddress } = context.config;
  const perOrder = new Map<string, number>();
  const perAddress = new Map<string, number>();

  return async (request, response) => {
    const token = pathParameter(request, "token");
    const { orderId } = await readStatus(context, token);
    const releaseOrder = reserveSlot(perOrder, orderId, streamsPerOrder);
    const releaseAddress =
      releaseOrder && reserveSlot(perAddress, getEndUserAddress(request), streamsPerIpAddress);
    if (!releaseAddress) {
      releaseOrder?.();
      throw new OperationError(ErrorCode.TooManyStreams, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    let lastEventNumber = Number(request.get("last-event-id") ?? 0) || 0;
    let hasEnded = false;
    let reading: Promise<void> = Promise.resolve();

    const sendStatus = async () => {
      if (hasEnded) return;
      const { status, version, expires_in_ms, final } = await readStatus(context, token);
      if (version > lastEventNumber) {
        lastEventNumber = version;
        write(response, { status, version, expires_in_ms });
      }
      if (final) end();
    };
    const scheduleRead = () => {
      reading = reading.then(sendStatus).catch((error: unknown) => {
        context.log.warn(
          { err: error, requestId: getRequestId(response) },
          "could not read the status of a streamed order; the stream is closed",
        );
        end();
      });
    };
    const unsubscribe = listener.subscribe(orderId, scheduleRead);
    const poll = setInterval(scheduleRead, POLL_MS);
    const alive = setInterval(() => writeHeartbeat(response), STREAM_ALIVE_MS);
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      unsubscribe();
      clearInterval(poll);
      clearInterval(alive);
      releaseOrder();
      releaseAddress();
      response.end();
    };
    response.on("close", end);
    // `close` is not emitted again if the caller disconnected during the read.
    if (response.destroyed) return end();
    response.set({
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
    response.write(`retry: ${RETRY_MS}\n\n`);
    writeHeartbeat(response);
    scheduleRead();
  };
}
