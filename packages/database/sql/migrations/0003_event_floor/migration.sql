-- Below this turn no event is written any more, whichever transaction writes it: raised when a transaction that may write
-- events, but has not, holds the lists of events back.
CREATE TABLE "event_floor" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "turn" BIGINT NOT NULL,

    CONSTRAINT "event_floor_pkey" PRIMARY KEY ("id")
);

INSERT INTO event_floor (turn) VALUES (0);
