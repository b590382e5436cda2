import { BASIC_REFUSALS } from "./errors.js";
import type { Path } from "./operation.js";
import { succeeded } from "./orders.js";

/** `/account`. */
export const ACCOUNT_PATHS: Path[] = [
  {
    path: "/account",
    api: "pay",
    operations: [
      {
        id: "getAccount",
        method: "get",
        tag: "Account",
        summary: "Whose credentials these are",
        description:
          "The merchant's name, the mode, and where its pages in the console are. Also the simplest test of credentials: it changes nothing.",
        security: "clientCredentials",
        answer: {
          schema: "AccountAnswer",
          description: "The account.",
          examples: {
            account: {
              summary: "An account",
              value: succeeded("Account retrieved", {
                merchant_name: "Kiln & Clover",
                mode: "sandbox",
                console_url: "https://console.example/m/4a5de1c2-6d0e-4c0e-9a55-0d9a0a7f3c11",
              }),
            },
          },
        },
        errors: BASIC_REFUSALS,
      },
    ],
  },
];
