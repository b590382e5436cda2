import { startPasskeys } from "@tillgate/service/browser/passkey";

/** Separate script, loaded only by views with a passkey form. */
startPasskeys();
