import { confirmSignUpRequestSchema, readSignUpRequestSchema, signUpRequestSchema } from "@tillgate/contract";
import type { Router } from "express";
import { confirmSignUp, readSignUp, requestSignUp, requireSignUp } from "../../administration/sign-up.js";
import type { Context } from "../../context.js";
import { getEndUserAddress } from "../shared/admit.js";
import { parse } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { readClient, readSessionToken } from "./caller.js";
import { toToken } from "./sign-in.js";

/** Serves sign-up. While it is closed, only its status can be retrieved. */
export function serveSignUp(router: Router, context: Context): void {
  serve(router, "/sign-up", {
    get: (_request, response) => {
      succeed(response, "Sign-up retrieved", { open: context.config.sandboxSignUp });
    },
    post: async (request, response) => {
      requireSignUp(context);
      const { email, next } = parse(signUpRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      const token = await requestSignUp(context, { email, next, clientAddress });
      succeed(response, "A link has been sent", { token });
    },
  });

  serve(router, "/sign-up/link", {
    post: async (request, response) => {
      requireSignUp(context);
      const { token } = parse(readSignUpRequestSchema, request.body);
      const { email, hasUser, next } = await readSignUp(context, token);
      succeed(response, "Link retrieved", { email, has_user: hasUser, next });
    },
  });

  serve(router, "/sign-up/confirm", {
    post: async (request, response) => {
      requireSignUp(context);
      const { token, shop_name: shopName, password } = parse(confirmSignUpRequestSchema, request.body);
      const before = readSessionToken(request);
      const account = await confirmSignUp(context, {
        ...readClient(request),
        token,
        shopName,
        password,
        before,
      });
      succeed(response, "Account created", { ...toToken(account), next: account.next });
    },
  });
}
