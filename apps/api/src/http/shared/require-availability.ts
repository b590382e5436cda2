import type { ErrorRequestHandler, RequestHandler } from "express";
import { type Availability, UnavailableError } from "../../availability.js";

/**
 * Refuses early the requests that could only wait: while the database does not answer, and when too many calls wait for it.
 * A request under way when the database stops answering gets its answer then. Whether it was committed is unknown, so the
 * caller must repeat it (with the same key nothing happens twice).
 * @param answer writes that answer. It is not reached by `next`: a second error of the request, from its own route, would then
 *   pass by it, and Express would print it with all that the database said.
 */
export const requireAvailability =
  (availability: Availability, answer: ErrorRequestHandler): RequestHandler =>
  (request, response, next) => {
    availability.check();
    const end = availability.onLost(() => {
      if (response.headersSent) return;
      // Its route may still be at work, so no other request may use this connection.
      response.set("Connection", "close");
      answer(new UnavailableError("the database stopped answering"), request, response, next);
    });
    response.once("close", end);
    next();
  };
