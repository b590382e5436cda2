import type { RequestHandler } from "express";
import { type Availability, UnavailableError } from "../../availability.js";

/**
 * Refuses early the requests that could only wait: while the database does not answer, and when too many calls wait for it.
 * A request under way when the database stops answering gets its answer then. Whether it was committed is unknown, so the
 * caller must repeat it (with the same key nothing happens twice).
 */
export const requireAvailability =
  (availability: Availability): RequestHandler =>
  (_request, response, next) => {
    availability.check();
    const end = availability.onLost(() => {
      if (response.headersSent) return;
      // Its route may still be at work, so no other request may use this connection.
      response.set("Connection", "close");
      next(new UnavailableError("the database stopped answering"));
    });
    response.once("close", end);
    next();
  };
