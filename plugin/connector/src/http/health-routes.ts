import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { DIFFERENCE_FIELDS, DIFFERENCE_SUBJECTS, fieldErrors, parseAddress } from "@tillgate/contract";
import express, { type Request, type RequestHandler, Router } from "express";
import { z } from "zod";
import { MAX_BODY_BYTES } from "../config.js";
import type { Connector } from "../connector.js";
import type { MetricsRegistry } from "../health/metrics.js";
import { chooseLanguage, textsIn } from "../health/texts.js";
import type { DifferenceName } from "../records/records.js";
import { sendError } from "./errors.js";
import { healthPage, type PageMessage, pageMessages } from "./health-page.js";
import { rejectMethod } from "./payments-routes.js";
import type { Stores } from "./stores.js";

/** Creates the CSRF token of the health page. A browser that stores the health key would send the key even with another site's forms. */
const createFormToken = (healthKey: string, storeId: string): string =>
  createHmac("sha256", healthKey).update(`form of the health page of ${storeId}`).digest("base64url");

/** Checks the CSRF token, and the origin if the request has one. Browsers send an origin with form posts. */
function isFormValid(request: Request, healthKey: string, storeId: string, given: unknown): boolean {
  if (request.get("sec-fetch-site") === "cross-site") return false;
  const origin = request.get("origin");
  if (origin !== undefined && parseAddress(origin)?.host !== request.get("host")) return false;
  const expected = Buffer.from(createFormToken(healthKey, storeId));
  const token = Buffer.from(typeof given === "string" ? given : "");
  return token.length === expected.length && timingSafeEqual(token, expected);
}

const MAX_ID_LENGTH = 64;

const differenceSchema = z.object({
  payment_id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  subject: z.enum(DIFFERENCE_SUBJECTS),
  subject_id: z.string().min(1).max(MAX_ID_LENGTH),
  field: z.enum(DIFFERENCE_FIELDS),
});

const toDifferenceName = ({
  payment_id,
  subject_id,
  ...name
}: z.output<typeof differenceSchema>): DifferenceName => ({
  ...name,
  paymentId: payment_id,
  subjectId: subject_id,
});

/**
 * Returns an empty router if `key` is null. All routes require the health key, as a bearer token or Basic password. Changes require the bearer
 * token, which browsers do not send automatically, or the CSRF token of the page's forms.
 */
export function healthRoutes(stores: Stores, registry: MetricsRegistry, key: string | null): Router {
  const router = Router();
  if (key === null) return router;
  const guard = requireKey(key);
  const bearer = requireKey(key, { isBearerOnly: true });
  const form = express.urlencoded({ extended: false, limit: MAX_BODY_BYTES });
  const json = express.json({ limit: MAX_BODY_BYTES });
  const findConnector = ({ params }: Request): Connector => stores.find(String(params.store));

  router
    .route("/v1/stores/:store/health")
    .get(guard, async (request, response) => {
      response.json(await findConnector(request).health());
    })
    .all((_request, response) => rejectMethod(response, "GET, HEAD"));
  router
    .route("/v1/stores/:store/comparison")
    .get(guard, async (request, response) => {
      response.json(await findConnector(request).comparison());
    })
    .post(bearer, async (request, response) => {
      const connector = findConnector(request);
      const started = await connector.startComparison();
      response.status(started ? 202 : 200).json({ begun: started, ...(await connector.comparison()) });
    })
    .all((_request, response) => rejectMethod(response, "GET, HEAD, POST"));
  const handleDifference =
    (work: (connector: Connector, difference: DifferenceName) => Promise<string>): RequestHandler =>
    async (request, response) => {
      const parsed = differenceSchema.safeParse(request.body ?? {});
      if (!parsed.success) {
        const text = "These fields don't identify a difference.";
        sendError(response, { status: 400, code: "validation_error", text }, fieldErrors(parsed.error));
        return;
      }
      response.json({ outcome: await work(findConnector(request), toDifferenceName(parsed.data)) });
    };
  router
    .route("/v1/stores/:store/repairs")
    .post(
      bearer,
      json,
      handleDifference((connector, difference) => connector.repairDifference(difference)),
    )
    .all((_request, response) => rejectMethod(response, "POST"));
  router
    .route("/v1/stores/:store/acceptances")
    .post(
      bearer,
      json,
      handleDifference((connector, difference) => connector.acceptDifference(difference)),
    )
    .all((_request, response) => rejectMethod(response, "POST"));

  router
    .route("/health/:store")
    .get(guard, async (request, response) => {
      const view = await findConnector(request).health();
      const message = pageMessages.find((known) => known === request.query.message) ?? null;
      const texts = textsIn(chooseLanguage(request.get("accept-language")));
      const token = createFormToken(key, view.store);
      response.type("html").vary("Accept-Language");
      response.send(healthPage(view, { now: new Date(), token, message, texts }));
    })
    .all((_request, response) => rejectMethod(response, "GET, HEAD"));
  const handleForm =
    (work: (connector: Connector, body: unknown) => Promise<PageMessage>): RequestHandler =>
    async (request, response) => {
      const connector = findConnector(request);
      const { storeId } = connector.settings;
      const message = isFormValid(request, key, storeId, request.body?.token)
        ? await work(connector, request.body)
        : "form_refused";
      // Relative, because a proxy may serve the connector under a path.
      response.redirect(303, `../${encodeURIComponent(storeId)}?message=${message}`);
    };
  router
    .route("/health/:store/comparison")
    .post(
      guard,
      form,
      handleForm(async (connector) =>
        (await connector.startComparison()) ? "comparing" : "comparing_already",
      ),
    )
    .all((_request, response) => rejectMethod(response, "POST"));
  router
    .route("/health/:store/repairs")
    .post(
      guard,
      form,
      handleForm(async (connector, body) => {
        const parsed = differenceSchema.safeParse(body);
        if (!parsed.success) return "form_refused";
        try {
          return await connector.repairDifference(toDifferenceName(parsed.data));
        } catch {
          // The connector has reported this error; the page shows it as the last error.
          return "not_repaired";
        }
      }),
    )
    .all((_request, response) => rejectMethod(response, "POST"));
  router
    .route("/health/:store/acceptances")
    .post(
      guard,
      form,
      handleForm(async (connector, body) => {
        const parsed = differenceSchema.safeParse(body);
        return parsed.success ? connector.acceptDifference(toDifferenceName(parsed.data)) : "form_refused";
      }),
    )
    .all((_request, response) => rejectMethod(response, "POST"));
  router
    .route("/metrics")
    .get(guard, async (_request, response) => {
      const gauges = await Promise.all(stores.all().map((connector) => connector.gauges()));
      response.set("Content-Type", registry.contentType).send(await registry.text(gauges));
    })
    .all((_request, response) => rejectMethod(response, "GET, HEAD"));
  return router;
}

function requireKey(key: string, { isBearerOnly = false } = {}): RequestHandler {
  const expected = digest(key);
  return (request, response, next) => {
    response.set("Cache-Control", "no-store");
    const given = readKey(request.headers.authorization ?? "", isBearerOnly);
    if (timingSafeEqual(digest(given), expected)) return next();
    response.set("WWW-Authenticate", isBearerOnly ? "Bearer" : 'Basic realm="connector", charset="UTF-8"');
    sendError(response, {
      status: 401,
      code: "wrong_health_key",
      text: "The health key is missing or wrong",
    });
  };
}

function readKey(header: string, isBearerOnly: boolean): string {
  const [scheme = "", value = ""] = header.split(" ", 2);
  if (scheme.toLowerCase() === "bearer") return value;
  if (isBearerOnly || scheme.toLowerCase() !== "basic") return "";
  const credentials = Buffer.from(value, "base64").toString("utf8");
  return credentials.slice(credentials.indexOf(":") + 1);
}

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();
