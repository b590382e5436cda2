import { LIKELY_CAUSES } from "@tillgate/contract";

/** What is likely the matter with an endpoint: in English the api's own sentences. */
export const enCauses = {
  "cause.dns": LIKELY_CAUSES.dns,
  "cause.tls": LIKELY_CAUSES.tls,
  "cause.timeout": LIKELY_CAUSES.timeout,
  "cause.redirect": LIKELY_CAUSES.redirect,
  "cause.refused_address": LIKELY_CAUSES.refused_address,
  "cause.html_response": LIKELY_CAUSES.html_response,
  "cause.connection": LIKELY_CAUSES.connection,
  "cause.no_key": LIKELY_CAUSES.no_key,
  "cause.status_400": LIKELY_CAUSES.status_400,
  "cause.status_401": LIKELY_CAUSES.status_401,
  "cause.status_403": LIKELY_CAUSES.status_403,
  "cause.status_404": LIKELY_CAUSES.status_404,
  "cause.status_405": LIKELY_CAUSES.status_405,
  "cause.status_410": LIKELY_CAUSES.status_410,
  "cause.status_413": LIKELY_CAUSES.status_413,
  "cause.status_415": LIKELY_CAUSES.status_415,
  "cause.status_429": LIKELY_CAUSES.status_429,
  "cause.server_error": LIKELY_CAUSES.server_error,
  "cause.other_status": LIKELY_CAUSES.other_status,
  "cause.no_status": LIKELY_CAUSES.no_status,
  "cause.web_page": LIKELY_CAUSES.web_page,
} as const;
