import { randomBytes } from "node:crypto";
import { queryFirstRow } from "@tillgate/service";
import type { Request, Response } from "express";
import { z } from "zod";
import { type Config, limits } from "../config.js";
import type { Database } from "../database/database.js";
import { isSameSecret } from "../same-secret.js";
import { hash, readCookie } from "../shop/visitor.js";

const sessionSchema = z.object({ csrf_token: z.string() });

const COOKIE_NAME = "tillgate_store_owner";

export type OwnerSession = {
  formToken: string;
};

export type SignIn = "signed-in" | "wrong-password" | "too-many-tries";

export class OwnerSessions {
  readonly #database: Database;
  readonly #config: Pick<Config, "ownerPassword" | "storeUrl">;
  /** Consecutive wrong passwords by address. They are in memory, because losing them at a restart is harmless. */
  readonly #wrong = new Map<string, { count: number; until: number }>();

  constructor(database: Database, config: Pick<Config, "ownerPassword" | "storeUrl">) {
    this.#database = database;
    this.#config = config;
  }

  /** Opens a session if the password is correct. Too many consecutive wrong passwords lock the address out for `limits.ownerWaitMinutes`. */
  async signIn(request: Request, response: Response, password: string): Promise<SignIn> {
    const address = request.ip ?? "";
    const earlier = this.#wrong.get(address);
    const open = earlier !== undefined && earlier.until > Date.now() ? earlier : { count: 0, until: 0 };
    if (open.count >= limits.ownerAttempts) return "too-many-tries";
    if (!isSameSecret(this.#config.ownerPassword, password)) {
      this.#remember(address, open.count + 1);
      return "wrong-password";
    }
    this.#wrong.delete(address);
    const secret = randomBytes(32).toString("base64url");
    await this.#database.query("DELETE FROM owner_session WHERE expires_at < now()");
    await this.#database.query(
      "INSERT INTO owner_session (id, csrf_token, expires_at) VALUES ($1, $2, now() + make_interval(hours => $3))",
      [hash(secret), randomBytes(24).toString("base64url"), limits.ownerSessionHours],
    );
    response.cookie(COOKIE_NAME, secret, {
      httpOnly: true,
      sameSite: "lax",
      secure: this.#config.storeUrl.startsWith("https:"),
      path: "/owner",
      maxAge: limits.ownerSessionHours * 3_600_000,
    });
    return "signed-in";
  }

  async find(request: Request): Promise<OwnerSession | undefined> {
    const secret = readCookie(request, COOKIE_NAME);
    if (secret === undefined) return undefined;
    const row = await queryFirstRow(
      this.#database,
      sessionSchema,
      "SELECT csrf_token FROM owner_session WHERE id = $1 AND expires_at > now()",
      [hash(secret)],
    );
    return row ? { formToken: row.csrf_token } : undefined;
  }

  async signOut(request: Request, response: Response): Promise<void> {
    const secret = readCookie(request, COOKIE_NAME);
    if (secret !== undefined) {
      await this.#database.query("DELETE FROM owner_session WHERE id = $1", [hash(secret)]);
    }
    response.clearCookie(COOKIE_NAME, { path: "/owner" });
  }

  #remember(address: string, count: number): void {
    const now = Date.now();
    if (this.#wrong.size >= limits.ownerAddresses) {
      for (const [other, { until }] of this.#wrong) if (until <= now) this.#wrong.delete(other);
      const [oldest] = this.#wrong.keys();
      if (this.#wrong.size >= limits.ownerAddresses && oldest !== undefined) this.#wrong.delete(oldest);
    }
    this.#wrong.set(address, { count, until: now + limits.ownerWaitMinutes * 60_000 });
  }
}
