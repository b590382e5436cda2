import { startPasskeys } from "@tillgate/service/browser/passkey";

startPasskeys();
