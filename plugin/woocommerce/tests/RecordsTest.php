<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Services;

final class RecordsTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    public function testGrantsALockOnceUntilItIsReleased(): void
    {
        $locks = $this->services->locks;
        $token = $locks->acquire('order:1');
        self::assertNotNull($token);
        self::assertNull($locks->acquire('order:1'));
        self::assertNotNull($locks->acquire('order:2'));
        $locks->release('order:1', 'another token');
        self::assertNull($locks->acquire('order:1'));
        $locks->release('order:1', $token);
        self::assertNotNull($locks->acquire('order:1'));
    }

    public function testTransfersAnExpiredLockAndRejectsItsOldHolder(): void
    {
        $locks = $this->services->locks;
        $old = $locks->acquire('order:1', 60);
        World::$now += 59;
        self::assertNull($locks->acquire('order:1'));
        World::$now += 1;
        self::assertNotNull($locks->acquire('order:1'));
        self::assertNull($locks->acquire('order:1'));
        $this->expectException(PluginError::class);
        (new Lock($locks, 'order:1', $old))->renew();
    }

    public function testCountsAnAbandonedPaymentForAWeek(): void
    {
        $attempts = $this->services->attempts;
        $request = ['idempotency_key' => 'k', 'currency' => 'EUR'];
        $attempt = $attempts->create(7, 'sandbox', World::CLIENT, $request, 4150, 120);
        $attempts->markCreated($attempt->id, 'POS-20261121-000009', 'https://pay.example/pay/x', null, World::$now + 60);
        self::assertSame(['open' => 1, 'overdue' => 0, 'given_up' => 0], $attempts->countOpen(300));
        World::$now += 361;
        self::assertSame(['open' => 1, 'overdue' => 1, 'given_up' => 0], $attempts->countOpen(300));
        $attempts->markAbandoned($attempt->id);
        self::assertSame(['open' => 0, 'overdue' => 0, 'given_up' => 1], $attempts->countOpen(300));
        World::$now += 604799;
        self::assertSame(1, $attempts->countOpen(300)['given_up']);
        World::$now += 1;
        self::assertSame(0, $attempts->countOpen(300)['given_up'], 'Still counted after a week.');
        $attempts->resumeChecks($attempt->id);
        self::assertSame(['open' => 1, 'overdue' => 1, 'given_up' => 0], $attempts->countOpen(300));
    }

    public function testExtendsARenewedLock(): void
    {
        $locks = $this->services->locks;
        $token = $locks->acquire('order:1', 60);
        World::$now += 50;
        self::assertTrue($locks->renew('order:1', $token));
        World::$now += 50;
        self::assertNull($locks->acquire('order:1'));
    }

    public function testReleasesTheLockAfterAnException(): void
    {
        try {
            $this->services->locks->withOrderLock(1, function (): void {
                self::assertTrue($this->services->locks->holdsOrderLock(1));
                throw new \RuntimeException('no');
            });
            self::fail('The failure was swallowed.');
        } catch (\RuntimeException $error) {
            self::assertSame('no', $error->getMessage());
        }
        self::assertFalse($this->services->locks->holdsOrderLock(1));
        self::assertNotNull($this->services->locks->acquire('order:1'));
    }

    public function testGrantsALockToOneOfManyProcesses(): void
    {
        $file = tempnam(sys_get_temp_dir(), 'claims');
        World::reset($file);
        $program = sprintf(
            'require %s; $w = new wpdb(%s); Tillgate\WooCommerce\Tests\World::$now = 1000;'
            . ' echo (new Tillgate\WooCommerce\Records\Locks($w))->acquire("order:1") === null ? 0 : 1;',
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

    public function testTracksAnEventUntilItIsProcessedAndPruned(): void
    {
        $events = $this->services->events;
        $events->recordReceived('evt_1', 'pos.order.paid', 'POS-1');
        $events->recordReceived('evt_1', 'pos.order.paid', 'POS-1');
        self::assertFalse($events->isProcessed('evt_1'));
        self::assertSame(0, $events->countUnprocessed(600));
        World::$now += 601;
        self::assertSame(1, $events->countUnprocessed(600));
        $events->markProcessed('evt_1', 'complete_payment');
        self::assertTrue($events->isProcessed('evt_1'));
        self::assertSame(0, $events->countUnprocessed(600));
        $events->prune(601);
        self::assertTrue($events->isProcessed('evt_1'));
        World::$now += 1;
        $events->prune(601);
        self::assertFalse($events->isProcessed('evt_1'));
    }

    public function testKeepsOneCurrentAttemptPerOrder(): void
    {
        $first = $this->start('key-1');
        $second = $this->start('key-2');
        self::assertTrue($second->isCurrent);
        self::assertFalse($this->services->attempts->byId($first->id)->isCurrent);
        self::assertSame($second->id, $this->services->attempts->current(7)->id);
        try {
            $this->start('key-2');
            self::fail('An idempotency key was used twice.');
        } catch (PluginError $error) {
            self::assertTrue($error->is(PluginError::STORAGE));
        }
        self::assertSame($second->id, $this->services->attempts->current(7)->id, 'The failed attempt was stored.');
    }

    public function testLeasesADueAttemptOnceUntilTheLeaseExpires(): void
    {
        $this->start('key-1');
        self::assertSame([], $this->services->attempts->leaseDue(10, 90));
        World::$now += 90;
        self::assertCount(1, $this->services->attempts->leaseDue(10, 90));
        self::assertSame([], $this->services->attempts->leaseDue(10, 90));
        World::$now += 90;
        self::assertCount(1, $this->services->attempts->leaseDue(10, 90));
    }

    public function testLeasesADueRefundOnceAndDelaysItAfterAFailure(): void
    {
        $refunds = $this->services->refunds;
        $row = $refunds->createRequest(7, 'key-1', 'reference-1', 'TRX-1', 400, 'EUR', '');
        self::assertSame([], $refunds->leaseDue(10, 90));
        World::$now += 120;
        self::assertSame([$row->id], array_column($refunds->leaseDue(10, 90), 'id'));
        self::assertSame([], $refunds->leaseDue(10, 90));
        $refunds->markCheckFailed($row->id, 180);
        World::$now += 179;
        self::assertSame([], $refunds->leaseDue(10, 90));
        World::$now += 1;
        self::assertSame(1, $refunds->leaseDue(10, 90)[0]->failedChecks);
    }

    public function testLeasesOnlyUnfinishedRows(): void
    {
        $attempt = $this->start('key-1');
        $refund = $this->services->refunds->createRequest(7, 'key-1', 'reference-1', 'TRX-1', 400, 'EUR', '');
        World::$now += 900;
        $this->services->attempts->complete($attempt->id, 'paid', 'TRX-1');
        self::assertSame([], $this->services->attempts->leaseDue(10, 90));
        $this->services->refunds->updateState($refund->id, 'RF-1', 'completed');
        self::assertCount(1, $this->services->refunds->leaseDue(10, 90));
        World::$now += 900;
        $this->services->refunds->markRecorded($refund->id, 9001);
        self::assertSame([], $this->services->refunds->leaseDue(10, 90));
    }

    public function testThrowsOnFailedQueries(): void
    {
        World::$wpdb->query('DROP TABLE wp_tillgate_attempts');
        $this->expectException(PluginError::class);
        $this->services->attempts->current(7);
    }

    private function start(string $key): \Tillgate\WooCommerce\Records\Attempt
    {
        $request = ['idempotency_key' => $key, 'currency' => 'EUR'];
        return $this->services->attempts->create(7, 'sandbox', World::CLIENT, $request, 4150, 90);
    }
}
