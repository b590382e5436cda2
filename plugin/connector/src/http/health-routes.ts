import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { fieldErrors, parseAddress } from "@tillgate/contract";
import express, { type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import { MAX_BODY_BYTES } from "../config.js";
import type { Connector } from "../connector.js";
import type { MetricsRegistry } from "../health/metrics.js";
import type { DifferenceName } from "../records/records.js";
import { sendError } from "./answers.js";
import { healthPage, type PageMessage, pageMessages } from "./health-page.js";
import { notAllowed } from "./payments-routes.js";
import type { Stores } from "./stores.js";

/**
 * The token of the health page's forms. A browser that knows the health key sends it along with any page's form, so a form
 * needs what only the page of this store shows.
 */
const formToken = (healthKey: string, storeId: string): string =>
  createHmac("sha256", healthKey).update(`form of the health page of ${storeId}`).digest("base64url");

/**
 * Whether a form was sent from the store's own page: by its token, and by where the browser says it comes from. A client
 * that does not say is no browser, and the token decides alone.
 */
function isOwnForm(request: Request, healthKey: string, storeId: string, given: unknown): boolean {
  if (request.get("sec-fetch-site") === "cross-site") return false;
  const origin = request.get("origin");
  if (origin !== undefined && parseAddress(origin)?.host !== request.get("host")) return false;
  const expected = Buffer.from(formToken(healthKey, storeId));
  const token = Buffer.from(typeof given === "string" ? given : "");
  return token.length === expected.length && timingSafeEqual(token, expected);
}

const MAX_NAME = 64;

const differenceSchema = z.object({
  payment_id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  subject: z.enum(["order", "refund", "record"]),
  subject_id: z.string().min(1).max(MAX_NAME),
  field: z.string().min(1).max(MAX_NAME),
});

const differenceOf = ({
  payment_id,
  subject_id,
  ...name
}: z.output<typeof differenceSchema>): DifferenceName => ({
  ...name,
  paymentId: payment_id,
  subjectId: subject_id,
});

/**
 * The health of each store's connector, for machines and people, and the metrics: all behind one key, as Bearer token or as
 * the password of Basic authentication. Without a key these routes do not exist. What changes something takes the key as
 * Bearer token, which no browser adds by itself, or a form of the page.
 */
export function healthRoutes(stores: Stores, registry: MetricsRegistry, key: string | null): Router {
  const router = Router();
  if (key === null) return router;
  const guard = requireKey(key);
  const bearer = requireKey(key, { isBearerOnly: true });
  const form = express.urlencoded({ extended: false, limit: MAX_BODY_BYTES });
  const json = express.json({ limit: MAX_BODY_BYTES });
  const storeOf = ({ params }: Request): Connector => stores.find(String(params.store));

  router
    .route("/v1/stores/:store/health")
    .get(guard, async (request, response) => {
      response.json(await storeOf(request).health());
    })
    .all((_request, response) => notAllowed(response, "GET, HEAD"));
  router
    .route("/v1/stores/:store/comparison")
    .get(guard, async (request, response) => {
      response.json(await storeOf(request).comparison());
    })
    .post(bearer, async (request, response) => {
      const connector = storeOf(request);
      const begun = await connector.askComparison();
      response.status(begun ? 202 : 200).json({ begun, ...(await connector.comparison()) });
    })
    .all((_request, response) => notAllowed(response, "GET, HEAD, POST"));
  const onDifference =
    (work: (connector: Connector, difference: DifferenceName) => Promise<string>): RequestHandler =>
    async (request, response) => {
      const parsed = differenceSchema.safeParse(request.body ?? {});
      if (!parsed.success) {
        const text = "The fields are not those of a difference.";
        sendError(response, { status: 400, code: "validation_error", text }, fieldErrors(parsed.error));
        return;
      }
      response.json({ outcome: await work(storeOf(request), differenceOf(parsed.data)) });
    };
  router
    .route("/v1/stores/:store/repairs")
    .post(
      bearer,
      json,
      onDifference((connector, difference) => connector.repair(difference)),
    )
    .all((_request, response) => notAllowed(response, "POST"));
  router
    .route("/v1/stores/:store/acceptances")
    .post(
      bearer,
      json,
      onDifference((connector, difference) => connector.accept(difference)),
    )
    .all((_request, response) => notAllowed(response, "POST"));

  router
    .route("/health/:store")
    .get(guard, async (request, response) => {
      const view = await storeOf(request).health();
      const message = pageMessages.find((known) => known === request.query.said) ?? null;
      response
        .type("html")
        .send(healthPage(view, { now: new Date(), token: formToken(key, view.store), message }));
    })
    .all((_request, response) => notAllowed(response, "GET, HEAD"));
  const onForm =
    (work: (connector: Connector, body: unknown) => Promise<PageMessage>): RequestHandler =>
    async (request, response) => {
      const connector = storeOf(request);
      const { storeId } = connector.settings;
      const said = isOwnForm(request, key, storeId, request.body?.token)
        ? await work(connector, request.body)
        : "form_refused";
      // Relative: a proxy may have the connector under a path.
      response.redirect(303, `../${encodeURIComponent(storeId)}?said=${said}`);
    };
  router
    .route("/health/:store/comparison")
    .post(
      guard,
      form,
      onForm(async (connector) => ((await connector.askComparison()) ? "comparing" : "comparing_already")),
    )
    .all((_request, response) => notAllowed(response, "POST"));
  router
    .route("/health/:store/repairs")
    .post(
      guard,
      form,
      onForm(async (connector, body) => {
        const parsed = differenceSchema.safeParse(body);
        if (!parsed.success) return "form_refused";
        try {
          return await connector.repair(differenceOf(parsed.data));
        } catch {
          // Reported by the connector: the page shows it as the last error.
          return "not_repaired";
        }
      }),
    )
    .all((_request, response) => notAllowed(response, "POST"));
  router
    .route("/health/:store/acceptances")
    .post(
      guard,
      form,
      onForm(async (connector, body) => {
        const parsed = differenceSchema.safeParse(body);
        return parsed.success ? connector.accept(differenceOf(parsed.data)) : "form_refused";
      }),
    )
    .all((_request, response) => notAllowed(response, "POST"));
  router
    .route("/metrics")
    .get(guard, async (_request, response) => {
      const gauges = await Promise.all(stores.all().map((connector) => connector.gauges()));
      response.set("Content-Type", registry.contentType).send(await registry.text(gauges));
    })
    .all((_request, response) => notAllowed(response, "GET, HEAD"));
  return router;
}

function requireKey(key: string, { isBearerOnly = false } = {}): RequestHandler {
  const expected = digest(key);
  return (request, response, next) => {
    response.set("Cache-Control", "no-store");
    const given = givenKey(request.headers.authorization ?? "", isBearerOnly);
    if (timingSafeEqual(digest(given), expected)) return next();
    response.set("WWW-Authenticate", isBearerOnly ? "Bearer" : 'Basic realm="connector", charset="UTF-8"');
    sendError(response, {
      status: 401,
      code: "wrong_health_key",
      text: "The health key is missing or wrong",
    });
  };
}

function givenKey(header: string, isBearerOnly: boolean): string {
  const [scheme = "", value = ""] = header.split(" ", 2);
  if (scheme.toLowerCase() === "bearer") return value;
  if (isBearerOnly || scheme.toLowerCase() !== "basic") return "";
  const credentials = Buffer.from(value, "base64").toString("utf8");
  return credentials.slice(credentials.indexOf(":") + 1);
}

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();
