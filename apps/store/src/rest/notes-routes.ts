import type { Router } from "express";
import { addNote, deleteNote, findNote, listNotes, type NoteRow } from "../orders/notes.js";
import { findOrder } from "../orders/order.js";
import { type RestLinks, restDate } from "./links.js";
import * as parameter from "./parameters.js";
import { RestError } from "./rest-error.js";
import { parametersOf, pathId, queryOf, type RestContext, route } from "./rest-request.js";

const noteView = (note: NoteRow, links: RestLinks): Record<string, unknown> => {
  const path = `orders/${note.order_id}/notes`;
  return {
    id: Number(note.id),
    author: note.author,
    date_created: restDate(note.created_at),
    date_created_gmt: restDate(note.created_at),
    note: note.note,
    customer_note: note.customer_note,
    _links: {
      self: links.self(`${path}/${note.id}`, ["GET", "DELETE"]),
      collection: links.to(path),
      up: links.to(`orders/${note.order_id}`),
    },
  };
};

/** The routes of `/orders/{id}/notes`. */
export function addNoteRoutes(router: Router, { database, links }: RestContext): void {
  const existingOrder = async (id: bigint): Promise<bigint> => {
    if (await findOrder(database, id)) return id;
    throw new RestError("woocommerce_rest_shop_order_invalid_id", "Invalid order ID.", 404);
  };
  const existingNote = async (orderId: bigint, id: bigint): Promise<NoteRow> => {
    const note = await findNote(database, orderId, id);
    if (note) return note;
    throw new RestError("woocommerce_rest_invalid_id", "Invalid resource ID.", 404);
  };

  router.get(
    "/orders/:order/notes",
    route(async (request, response) => {
      const types = { type: parameter.oneOf(["any", "customer", "internal"]).default("any") };
      const { type } = parameter.readParameters(types, queryOf(request));
      const notes = await listNotes(database, await existingOrder(pathId(request, "order")));
      const wanted = notes.filter((note) => type === "any" || note.customer_note === (type === "customer"));
      response.json(wanted.map((note) => noteView(note, links)));
    }),
  );

  router.post(
    "/orders/:order/notes",
    route(async (request, response) => {
      const written = parameter.readParameters(
        {
          note: parameter.text,
          customer_note: parameter.boolean.default(false),
          added_by_user: parameter.boolean.default(false),
        },
        parametersOf(request),
        ["note"],
      );
      const orderId = await existingOrder(pathId(request, "order"));
      const note = await addNote(database, {
        orderId,
        note: written.note,
        customerNote: written.customer_note,
        ...(written.added_by_user ? { author: "admin" } : {}),
      });
      response
        .status(201)
        .location(links.of(`orders/${orderId}/notes/${note.id}`))
        .json(noteView(note, links));
    }),
  );

  router.get(
    "/orders/:order/notes/:id",
    route(async (request, response) => {
      const orderId = await existingOrder(pathId(request, "order"));
      response.json(noteView(await existingNote(orderId, pathId(request, "id")), links));
    }),
  );

  router.delete(
    "/orders/:order/notes/:id",
    route(async (request, response) => {
      const { force } = parameter.readParameters(
        { force: parameter.boolean.default(false) },
        parametersOf(request),
      );
      if (!force) {
        // The word "Webhooks" is WooCommerce's own slip, kept so that clients see what they see there.
        const message = "Webhooks do not support trashing.";
        throw new RestError("woocommerce_rest_trash_not_supported", message, 501);
      }
      const orderId = await existingOrder(pathId(request, "order"));
      const note = await existingNote(orderId, pathId(request, "id"));
      await deleteNote(database, note.id);
      response.json(noteView(note, links));
    }),
  );
}
