import { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
import { limits } from "../config.js";
import { changeStatus } from "../orders/change-status.js";
import { listOrders } from "../orders/list-orders.js";
import { listNotes } from "../orders/notes.js";
import { findOrder, lockOrder, orderStatuses } from "../orders/order.js";
import { listRefunds } from "../orders/refund-records.js";
import { sameSecret } from "../rest/oauth.js";
import { formTokenField } from "../shop/form-fields.js";
import { sendPage } from "../shop/page.js";
import {
  FormRefused,
  formText,
  idOf,
  PageNotFound,
  page,
  queryText,
  type ShopContext,
} from "../shop/shop-context.js";
import { isCancellable, OwnerOrderPage, OwnerOrdersPage, SignInPage } from "./owner-pages.js";
import type { OwnerSession, OwnerSessions } from "./session.js";

const notices: Record<string, string> = {
  cancelled: "The order is cancelled. A payment that was under way is cancelled with it.",
  "not-cancelled": "The order changed in the meantime and was not cancelled.",
};

/** The owner's pages. */
export function ownerRouter(
  { database, visitors }: Pick<ShopContext, "database" | "visitors">,
  sessions: OwnerSessions,
): Router {
  const router = Router();

  const signedIn =
    (work: (request: Request, response: Response, session: OwnerSession) => Promise<void>): RequestHandler =>
    (request: Request, response: Response, next: NextFunction) => {
      const run = async (): Promise<void> => {
        const session = await sessions.find(request);
        if (!session) return response.redirect(303, "/owner/sign-in");
        if (request.method === "POST" && !sameSecret(session.formToken, formText(request, formTokenField))) {
          throw new FormRefused();
        }
        await work(request, response, session);
      };
      run().catch(next);
    };

  router.get(
    "/sign-in",
    page(async (request, response) => {
      sendPage(response, <SignInPage formToken={visitors.recognise(request, response).formToken} />);
    }),
  );

  router.post(
    "/sign-in",
    page(async (request, response) => {
      const visitor = visitors.recogniseForm(request, formText(request, formTokenField));
      if (!visitor) throw new FormRefused();
      const result = await sessions.signIn(request, response, formText(request, "password"));
      if (result === "signed-in") return response.redirect(303, "/owner");
      const tooMany = result === "too-many-tries";
      const error = tooMany
        ? `Too many wrong passwords. Please wait ${limits.ownerWaitMinutes} minutes.`
        : "That is not the password.";
      sendPage(response, <SignInPage formToken={visitor.formToken} error={error} />, tooMany ? 429 : 401);
    }),
  );

  router.post(
    "/sign-out",
    signedIn(async (request, response) => {
      await sessions.signOut(request, response);
      response.redirect(303, "/owner/sign-in");
    }),
  );

  router.get(
    "/",
    signedIn(async (request, response, { formToken }) => {
      const asked = queryText(request, "page") ?? "1";
      const number = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
      const { orders, total } = await listOrders(database, {
        statuses: [...orderStatuses],
        orderBy: "date",
        direction: "desc",
        page: number,
        perPage: limits.ownerPage,
      });
      const pages = Math.ceil(total / limits.ownerPage);
      sendPage(
        response,
        <OwnerOrdersPage orders={orders} page={number} pages={pages} total={total} formToken={formToken} />,
      );
    }),
  );

  router.get(
    "/orders/:id",
    signedIn(async (request, response, { formToken }) => {
      const id = idOf(request.params.id);
      const order = id === undefined ? undefined : await findOrder(database, id);
      if (!order) throw new PageNotFound();
      const refunds = await listRefunds(database, [order.id]);
      const notes = await listNotes(database, order.id);
      const notice = notices[queryText(request, "notice") ?? ""];
      sendPage(
        response,
        <OwnerOrderPage
          order={order}
          refunds={refunds}
          notes={notes.toSorted((one, other) => Number(other.id - one.id))}
          formToken={formToken}
          notice={notice}
        />,
      );
    }),
  );

  router.post(
    "/orders/:id/cancel",
    signedIn(async (request, response) => {
      const id = idOf(request.params.id);
      if (id === undefined) throw new PageNotFound();
      const cancelled = await database.transaction(async (transaction) => {
        const order = await lockOrder(transaction, id);
        if (!order) throw new PageNotFound();
        if (!isCancellable(order)) return false;
        await changeStatus(transaction, order, { to: "cancelled", author: "Shop owner" });
        return true;
      });
      response.redirect(303, `/owner/orders/${id}?notice=${cancelled ? "cancelled" : "not-cancelled"}`);
    }),
  );

  return router;
}
