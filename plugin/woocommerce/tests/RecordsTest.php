<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Services;

final class RecordsTest extends TestCase
{
    /** @var Services */
    private $services;

    protected function setUp(): void
    {
        $this->services = World::begin();
    }

    public function testAClaimIsHeldByOneAndFreeAfterItsRelease(): void
    {
        $claims = $this->services->claims;
        $token = $claims->take('order:1');
        self::assertNotNull($token);
        self::assertNull($claims->take('order:1'));
        self::assertNotNull($claims->take('order:2'));
        $claims->release('order:1', 'a token of somebody else');
        self::assertNull($claims->take('order:1'));
        $claims->release('order:1', $token);
        self::assertNotNull($claims->take('order:1'));
    }

    public function testAClaimThatRanOutIsTakenByOneAndItsOldHolderMayWriteNothing(): void
    {
        $claims = $this->services->claims;
        $old = $claims->take('order:1', 60);
        World::$now += 59;
        self::assertNull($claims->take('order:1'));
        World::$now += 1;
        self::assertNotNull($claims->take('order:1'));
        self::assertNull($claims->take('order:1'));
        $this->expectException(Problem::class);
        (new HeldClaim($claims, 'order:1', $old))->keep();
    }

    public function testAPaymentThatWasGivenUpIsCountedOnceAndForAWeek(): void
    {
        $attempts = $this->services->attempts;
        $request = ['idempotency_key' => 'k', 'currency' => 'EUR'];
        $attempt = $attempts->start(7, 'sandbox', World::CLIENT, $request, 4150, 120);
        $attempts->created($attempt->id, 'POS-20261121-000009', 'https://pay.example/pay/x', null, World::$now + 60);
        self::assertSame(['open' => 1, 'overdue' => 0, 'given_up' => 0], $attempts->counts(300));
        World::$now += 361;
        self::assertSame(['open' => 1, 'overdue' => 1, 'given_up' => 0], $attempts->counts(300));
        $attempts->givenUp($attempt->id);
        self::assertSame(['open' => 0, 'overdue' => 0, 'given_up' => 1], $attempts->counts(300));
        World::$now += 604799;
        self::assertSame(1, $attempts->counts(300)['given_up']);
        World::$now += 1;
        self::assertSame(0, $attempts->counts(300)['given_up'], 'Nobody could end it.');
        $attempts->takenUp($attempt->id);
        self::assertSame(['open' => 1, 'overdue' => 1, 'given_up' => 0], $attempts->counts(300));
    }

    public function testAKeptClaimLivesOn(): void
    {
        $claims = $this->services->claims;
        $token = $claims->take('order:1', 60);
        World::$now += 50;
        self::assertTrue($claims->keep('order:1', $token));
        World::$now += 50;
        self::assertNull($claims->take('order:1'));
    }

    public function testAClaimIsReleasedAlsoWhereTheWorkFails(): void
    {
        try {
            $this->services->claims->withOrder(1, function (): void {
                self::assertTrue($this->services->claims->holdsOrder(1));
                throw new \RuntimeException('no');
            });
            self::fail('The failure was swallowed.');
        } catch (\RuntimeException $error) {
            self::assertSame('no', $error->getMessage());
        }
        self::assertFalse($this->services->claims->holdsOrder(1));
        self::assertNotNull($this->services->claims->take('order:1'));
    }

    public function testManyProcessesGetAClaimOneAtATime(): void
    {
        $file = tempnam(sys_get_temp_dir(), 'claims');
        World::begin($file);
        $program = sprintf(
            'require %s; $w = new wpdb(%s); Tillgate\WooCommerce\Tests\World::$now = 1000;'
            . ' echo (new Tillgate\WooCommerce\Records\Claims($w))->take("order:1") === null ? 0 : 1;',
            var_export(__DIR__ . '/bootstrap.php', true),
            var_export($file, true)
        );
        $processes = [];
        for ($number = 0; $number < 8; $number += 1) {
            $processes[] = popen(escapeshellarg(PHP_BINARY) . ' -r ' . escapeshellarg($program), 'r');
        }
        $winners = 0;
        foreach ($processes as $process) {
            $winners += (int) stream_get_contents($process);
            pclose($process);
        }
        unlink($file);
        self::assertSame(1, $winners);
    }

    public function testAnEventIsDoneOnce(): void
    {
        $events = $this->services->events;
        $events->receive('evt_1', 'pos.order.paid', 'POS-1');
        $events->receive('evt_1', 'pos.order.paid', 'POS-1');
        self::assertFalse($events->isDone('evt_1'));
        self::assertSame(0, $events->countUndone(600));
        World::$now += 601;
        self::assertSame(1, $events->countUndone(600));
        $events->done('evt_1', 'complete_payment');
        self::assertTrue($events->isDone('evt_1'));
        self::assertSame(0, $events->countUndone(600));
        $events->prune(601);
        self::assertTrue($events->isDone('evt_1'));
        World::$now += 1;
        $events->prune(601);
        self::assertFalse($events->isDone('evt_1'));
    }

    public function testAnOrderHasOneCurrentAttempt(): void
    {
        $first = $this->start('key-1');
        $second = $this->start('key-2');
        self::assertTrue($second->isCurrent);
        self::assertFalse($this->services->attempts->byId($first->id)->isCurrent);
        self::assertSame($second->id, $this->services->attempts->current(7)->id);
        try {
            $this->start('key-2');
            self::fail('One key was used twice.');
        } catch (Problem $problem) {
            self::assertTrue($problem->is(Problem::STORAGE));
        }
        self::assertSame($second->id, $this->services->attempts->current(7)->id, 'The failed start left its mark.');
    }

    public function testADueAttemptIsTakenByOneSweepOnly(): void
    {
        $this->start('key-1');
        self::assertSame([], $this->services->attempts->takeDue(10, 90));
        World::$now += 90;
        self::assertCount(1, $this->services->attempts->takeDue(10, 90));
        self::assertSame([], $this->services->attempts->takeDue(10, 90));
        World::$now += 90;
        self::assertCount(1, $this->services->attempts->takeDue(10, 90));
    }

    public function testADueRefundIsTakenByOneSweepOnlyAndLaterWhereItsCheckFailed(): void
    {
        $refunds = $this->services->refunds;
        $row = $refunds->ask(7, 'key-1', 'reference-1', 'TRX-1', 400, 'EUR', '');
        self::assertSame([], $refunds->takeDue(10, 90));
        World::$now += 120;
        self::assertSame([$row->id], array_column($refunds->takeDue(10, 90), 'id'));
        self::assertSame([], $refunds->takeDue(10, 90));
        $refunds->checkFailed($row->id, 180);
        World::$now += 179;
        self::assertSame([], $refunds->takeDue(10, 90));
        World::$now += 1;
        self::assertSame(1, $refunds->takeDue(10, 90)[0]->failedChecks);
    }

    public function testOnlyWhatHasNoEndIsDue(): void
    {
        $attempt = $this->start('key-1');
        $refund = $this->services->refunds->ask(7, 'key-1', 'reference-1', 'TRX-1', 400, 'EUR', '');
        World::$now += 900;
        $this->services->attempts->settled($attempt->id, 'paid', 'TRX-1');
        self::assertSame([], $this->services->attempts->takeDue(10, 90));
        $this->services->refunds->answered($refund->id, 'RF-1', 'completed');
        self::assertCount(1, $this->services->refunds->takeDue(10, 90));
        World::$now += 900;
        $this->services->refunds->recorded($refund->id, 9001);
        self::assertSame([], $this->services->refunds->takeDue(10, 90));
    }

    public function testAFailedStatementIsNoEmptyAnswer(): void
    {
        World::$wpdb->query('DROP TABLE wp_tillgate_attempts');
        $this->expectException(Problem::class);
        $this->services->attempts->current(7);
    }

    private function start(string $key): \Tillgate\WooCommerce\Records\Attempt
    {
        $request = ['idempotency_key' => $key, 'currency' => 'EUR'];
        return $this->services->attempts->start(7, 'sandbox', World::CLIENT, $request, 4150, 90);
    }
}
