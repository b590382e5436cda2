import { type Request, type RequestHandler, type Response, Router } from "express";
import { limits } from "../config.js";
import { listOrders } from "../orders/list-orders.js";
import { listNotes } from "../orders/notes.js";
import { findOrder } from "../orders/order.js";
import { listRefunds } from "../orders/refunds.js";
import { isSameSecret } from "../same-secret.js";
import { FORM_TOKEN_FIELD } from "../shop/form-fields.js";
import { sendPage } from "../shop/page.js";
import {
  CsrfError,
  PageNotFound,
  parseId,
  queryText,
  readFormText,
  type ShopContext,
} from "../shop/shop-context.js";
import { notices, orderActions } from "./order-actions.js";
import { OwnerOrderPage } from "./owner-order-page.js";
import { OwnerOrdersPage, SignInPage } from "./owner-pages.js";
import type { OwnerSession, OwnerSessions } from "./session.js";

export function createOwnerRouter(
  { database, visitors }: Pick<ShopContext, "database" | "visitors">,
  sessions: OwnerSessions,
): Router {
  const router = Router();

  const requireSignIn =
    (work: (request: Request, response: Response, session: OwnerSession) => Promise<void>): RequestHandler =>
    async (request, response) => {
      const session = await sessions.find(request);
      if (!session) return response.redirect(303, "/owner/sign-in");
      if (
        request.method === "POST" &&
        !isSameSecret(session.formToken, readFormText(request, FORM_TOKEN_FIELD))
      ) {
        throw new CsrfError();
      }
      await work(request, response, session);
    };

  router.get("/sign-in", async (request, response) => {
    sendPage(response, <SignInPage formToken={visitors.identify(request, response).formToken} />);
  });

  router.post("/sign-in", async (request, response) => {
    const visitor = visitors.identifyForm(request, readFormText(request, FORM_TOKEN_FIELD));
    if (!visitor) throw new CsrfError();
    const result = await sessions.signIn(request, response, readFormText(request, "password"));
    if (result === "signed-in") return response.redirect(303, "/owner");
    const tooMany = result === "too-many-tries";
    const error = tooMany
      ? `Too many wrong passwords. Please wait ${limits.ownerWaitMinutes} minutes.`
      : "Incorrect password.";
    sendPage(response, <SignInPage formToken={visitor.formToken} error={error} />, tooMany ? 429 : 401);
  });

  router.post(
    "/sign-out",
    requireSignIn(async (request, response) => {
      await sessions.signOut(request, response);
      response.redirect(303, "/owner/sign-in");
    }),
  );

  router.get(
    "/",
    requireSignIn(async (request, response, { formToken }) => {
      const pageParam = queryText(request, "page") ?? "1";
      const number = /^[1-9]\d{0,5}$/.test(pageParam) ? Number(pageParam) : 1;
      const { orders, total } = await listOrders(database, {
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
    requireSignIn(async (request, response, { formToken }) => {
      const id = parseId(request.params.id);
      const order = id === undefined ? undefined : await findOrder(database, id);
      if (!order) throw new PageNotFound();
      const refunds = await listRefunds(database, [order.id]);
      const notes = await listNotes(database, order.id);
      const noticeParam = queryText(request, "notice");
      const notice = Object.entries(notices).find(([name]) => name === noticeParam)?.[1];
      sendPage(
        response,
        <OwnerOrderPage
          order={order}
          refunds={refunds}
          notes={notes.toSorted((a, b) => Number(b.id - a.id))}
          formToken={formToken}
          notice={notice}
        />,
      );
    }),
  );

  router.post(
    "/orders/:id/:action",
    requireSignIn(async (request, response) => {
      const id = parseId(request.params.id);
      const action = Object.entries(orderActions).find(([name]) => name === request.params.action)?.[1];
      if (id === undefined || action === undefined) throw new PageNotFound();
      const notice = await action(database, id, request);
      response.redirect(303, `/owner/orders/${id}?notice=${notice}`);
    }),
  );

  return router;
}
