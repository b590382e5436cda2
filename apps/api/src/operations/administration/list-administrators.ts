import type { Context } from "../../context.js";

/** Who may administer, by e-mail. */
export const listAdministrators = ({
  database: { prisma },
}: Context): Promise<{ id: string; email: string; createdAt: Date; disabledAt: Date | null }[]> =>
  prisma.consoleUser.findMany({
    where: { role: "administrator" },
    select: { id: true, email: true, createdAt: true, disabledAt: true },
    orderBy: { email: "asc" },
  });
