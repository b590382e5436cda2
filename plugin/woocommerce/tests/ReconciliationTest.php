<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Admin\OrderNotice;
use Tillgate\WooCommerce\Admin\ReconciliationReport;
use Tillgate\WooCommerce\Admin\RefundDifferences;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\ComparePayments;
use Tillgate\WooCommerce\Payments\Reconcile;
use Tillgate\WooCommerce\Payments\RepairDifference;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Alerts;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Orders;

/** Reconciliation: has Tillgate find differences from the shop, and repairs those that are safe to repair. */
final class ReconciliationTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::resetWithRefunds();
    }

    public function testSendsAPaymentWithItsOrderAndRefunds(): void
    {
        $cancelled = $this->start();
        $this->services->attempts->complete($cancelled->id, 'cancelled', null);
        $attempt = $this->start();
        $this->pay($attempt);
        wc_create_refund(['order_id' => 7, 'amount' => '5.00', 'refund_payment' => true]);
        wc_create_refund(['order_id' => 7, 'amount' => '1.00']);
        World::$orders[7]->modifiedAt = time() - 60;
        World::$orders[7]->number = 'A-7';
        [$byGateway, $byHand] = World::$orders[7]->refunds;
        $this->compare();
        [[$older, $current]] = array_column($this->comparisons(), 'orders');
        self::assertEqualsWithDelta(60, $current['shop_order']['changed_seconds_ago'], 5);
        unset($current['shop_order']['changed_seconds_ago']);
        self::assertSame([
            'order_id' => $attempt->tillgateOrderId,
            'order_number' => 'A-7',
            'order_url' => 'https://shop.example/wp-admin/order/7',
            'current' => true,
            'recorded' => 'PAID',
            'amount' => '41.50',
            'currency' => 'EUR',
            'other_trx_ids' => [],
            'shop_order' => [
                'status' => 'processing',
                'counts_as' => 'processing',
                'total' => '41.50',
                'currency' => 'EUR',
                'pays_with_tillgate' => true,
                'trx_id' => World::$orders[7]->transaction,
                'refunds' => [
                    [
                        'id' => (string) $byGateway->id,
                        'amount' => '5.00',
                        'refund_id' => 'RF-20261121-000001',
                        'reference' => $byGateway->get_meta(Orders::REFERENCE_META),
                        'mentioned_refund_id' => null,
                        'sent' => 'no',
                    ],
                    ['id' => (string) $byHand->id, 'amount' => '1.00', 'refund_id' => null, 'reference' => null, 'mentioned_refund_id' => null, 'sent' => 'no'],
                ],
            ],
            'recorded_refund_ids' => ['RF-20261121-000001'],
        ], $current);
        self::assertSame(
            [$cancelled->tillgateOrderId, false, 'CANCELLED', [World::$orders[7]->transaction]],
            [$older['order_id'], $older['current'], $older['recorded'], $older['other_trx_ids']]
        );
        unset(World::$orders[7]);
        $this->compare();
        self::assertNull($this->comparisons()[2]['orders'][1]['shop_order']);
    }

    public function testSendsARefundAsInProgressIfItsRequestWasInterrupted(): void
    {
        $this->pay($this->start());
        $this->services->refunds->createRequest(7, 'a key', '7 0123456789abcdef', World::$orders[7]->transaction, 500, 'EUR', '');
        $record = wc_create_refund(['order_id' => 7, 'amount' => '5.00']);
        $record->meta[Orders::REFERENCE_META] = ['7 0123456789abcdef'];
        $this->compare();
        [$refund] = $this->comparisons()[0]['orders'][0]['shop_order']['refunds'];
        self::assertSame([null, '7 0123456789abcdef', 'calling'], [$refund['refund_id'], $refund['reference'], $refund['sent']]);
    }

    public function testSendsThePaymentsOfEachClientWithItsOwnKey(): void
    {
        $first = $this->start();
        $this->connect('tg_test_2');
        World::order(8);
        $second = $this->start(8);
        $this->compare();
        $sent = array_map(static function (array $body): array {
            return array_column($body['orders'], 'order_id');
        }, $this->comparisons());
        self::assertSame([[$first->tillgateOrderId], [$second->tillgateOrderId], []], $sent);
        self::assertSame([World::CLIENT, 'tg_test_2', 'tg_test_2'], array_slice(World::$tillgate->callers, -3));
    }

    public function testIgnoresPaymentsOfPreviouslyConnectedAccounts(): void
    {
        $attempt = $this->start();
        unset(World::$tillgate->orders[$attempt->tillgateOrderId]);
        self::assertSame(['missing_at_tillgate' => null], $this->compare());
        $this->connect('tg_test_2');
        self::assertSame(['missing_at_tillgate' => null], $this->compare(), 'Sent with the payment’s own client ID.');
        Credentials::revoke(Credentials::retired()[0]->id);
        $before = count($this->comparisons());
        self::assertSame([], $this->compare(), 'The earlier difference was kept.');
        self::assertSame([[]], array_column(array_slice($this->comparisons(), $before), 'orders'), 'The other account’s payment was sent.');
        self::assertSame(['compared' => 0, 'failed' => 0], $this->totals(), 'The other account’s payment was counted.');
    }

    public function testSendsPaymentsCreatedWithAReplacedKeyOfTheSameAccount(): void
    {
        $attempt = $this->start();
        $this->connect('tg_test_2');
        Credentials::revoke(Credentials::retired()[0]->id);
        $this->compare();
        self::assertSame([$attempt->tillgateOrderId], array_column($this->comparisons()[0]['orders'], 'order_id'));
    }

    public function testClearsResolvedDifferencesOfOldPayments(): void
    {
        $attempt = $this->start();
        World::order(8);
        $this->start(8);
        $remote = World::$tillgate->orders[$attempt->tillgateOrderId];
        unset(World::$tillgate->orders[$attempt->tillgateOrderId]);
        (new ComparePayments($this->services))->runOne($attempt);
        World::$now += 91 * 86400;
        World::$tillgate->orders[$attempt->tillgateOrderId] = $remote;
        self::assertSame([], $this->compare(), 'The resolved difference was kept.');
        self::assertSame(
            [$attempt->tillgateOrderId],
            array_column($this->comparisons()[1]['orders'], 'order_id'),
            'Matching payments are not compared again.'
        );
    }

    public function testDoesNotCountARepeatedBatchTwice(): void
    {
        for ($order = 1; $order <= 51; $order += 1) {
            World::order($order);
            $this->start($order);
        }
        $interrupted = null;
        World::$tillgate->findDifferences = static function (array $order) use (&$interrupted): array {
            if ($order['order_number'] === '51') {
                $interrupted = $interrupted ?? World::$options[Reconcile::OPTION];
            }
            return [];
        };
        $this->compare();
        World::$options[Reconcile::OPTION] = $interrupted;
        (new Reconcile($this->services))->advance();
        $totals = static function (int $compared, bool $isCompleted): array {
            return ['compared' => $compared, 'skipped' => 0, 'completed' => $isCompleted];
        };
        self::assertSame(
            [$totals(50, false), $totals(51, false), $totals(51, true), $totals(51, false), $totals(51, true)],
            array_column($this->comparisons(), 'progress')
        );
        self::assertSame(51, Reconcile::lastRun()['compared']);
    }

    public function testReportsTheCompletionOfAnEmptyRunToTillgate(): void
    {
        $this->compare();
        self::assertSame(
            [['orders' => [], 'skipped_orders' => [], 'progress' => ['compared' => 0, 'skipped' => 0, 'completed' => true]]],
            $this->comparisons()
        );
    }

    public function testReportsNoDifferencesIfTillgateFindsNone(): void
    {
        $this->pay($this->start());
        self::assertSame([], $this->compare());
        self::assertSame(['compared' => 1, 'failed' => 0], $this->totals());
        self::assertTrue((new ReconciliationReport($this->services))->finding()['ok']);
    }

    public function testRepairsAPaidOrderThatIsUnpaidInTheShop(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        // Simulates a backup that restored the order, but not the plugin's tables.
        World::$orders[7]->status = 'pending';
        World::$orders[7]->transaction = '';
        $this->differIf('paid_shop_unpaid', 'apply_order', static function (array $order): bool {
            return $order['shop_order']['counts_as'] === 'pending';
        });
        self::assertSame(['paid_shop_unpaid' => 'apply_order'], $this->compare());
        self::assertStringContainsString('data-tillgate-repair="apply_order"', $this->renderReport());
        self::assertTrue($this->repair($attempt));
        self::assertSame('processing', World::$orders[7]->status);
        self::assertSame(0, $this->services->differences->count());
        self::assertArrayNotHasKey('progress', current(array_slice($this->comparisons(), -1)), 'The repair was counted as part of the run.');
        self::assertTrue($this->repair($attempt), 'The second repair was not a no-op.');
        self::assertSame([], World::$tillgate->refunds, 'A repair moved money.');
    }

    public function testCancelsAnOpenPaymentThatTheOrderNoLongerNeeds(): void
    {
        $attempt = $this->start();
        World::$orders[7]->status = 'cancelled';
        $this->differIf('open_not_wanted', 'cancel_open', static function (array $order): bool {
            return $order['recorded'] === 'PENDING';
        });
        self::assertSame(['open_not_wanted' => 'cancel_open'], $this->compare());
        self::assertTrue($this->repair($attempt));
        self::assertSame('CANCELLED', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
    }

    public function testRecreatesADeletedRefundRecord(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        wc_create_refund(['order_id' => 7, 'amount' => '5.00', 'refund_payment' => true]);
        World::$orders[7]->refunds = [];
        $missing = ['subject' => 'refund', 'subject_id' => 'RF-20261121-000001', 'field' => 'refund'];
        World::$tillgate->findDifferences = static function (array $order) use ($missing): array {
            return $order['shop_order']['refunds'] === [] ? [$missing + FakeTillgate::difference('refund_missing_in_shop', 'record_refund')] : [];
        };
        self::assertSame(['refund_missing_in_shop' => 'record_refund'], $this->compare());
        self::assertTrue($this->repair($attempt, 'refund', 'RF-20261121-000001', 'refund'));
        self::assertSame(['5.00'], array_column(World::$orders[7]->refunds, 'amount'));
        self::assertCount(1, World::$tillgate->refunds);
    }

    public function testShowsAdviceInsteadOfAButtonForManualDecisions(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        World::$orders[7]->total = '50.00';
        $this->differIf('amount_differs', null);
        self::assertSame(['amount_differs' => null], $this->compare());
        self::assertStringContainsString('Refund the excess', $this->renderReport());
        self::assertStringNotContainsString('data-tillgate-repair', $this->renderReport());
        self::assertFalse($this->repair($attempt));
        self::assertSame('50.00', World::$orders[7]->total);
    }

    public function testTranslatesDifferencesWithTheirValues(): void
    {
        $this->start();
        $this->differIf('refund_recorded_twice', null, null, ['refund' => 'RF-1', 'refund_amount' => 'an unreadable amount', 'store_refund' => '#41, #42']);
        $this->compare();
        self::assertStringContainsString('Refund RF-1 of an unreadable amount is recorded in the shop more than once: #41, #42.', $this->renderReport());
        World::$translations = [
            'Refund {refund} of {refund_amount} is recorded in the shop more than once: {store_refund}.' => '{refund} ({refund_amount}) : {store_refund}',
            'an unreadable amount' => 'n/a',
            '#{store_refund}' => 'n° {store_refund}',
        ];
        self::assertStringContainsString('RF-1 (n/a) : n° 41, n° 42', $this->renderReport());
    }

    public function testShowsAnUnknownDifferenceInEnglishWithoutAButton(): void
    {
        $this->start();
        $this->differIf('of_the_future', 'repair_of_the_future');
        $this->compare();
        $report = $this->renderReport();
        self::assertStringContainsString('of_the_future in English', $report);
        self::assertStringContainsString('Advice on of_the_future', $report);
        self::assertStringNotContainsString('data-tillgate-repair', $report);
    }

    public function testComparesTheOtherPaymentsAndDoesNotRepeatTheRunIfAPaymentIsRejected(): void
    {
        $tillgateIds = [];
        foreach ([7, 8, 9, 10, 11] as $order) {
            World::order($order);
            $tillgateIds[$order] = $this->start($order)->tillgateOrderId;
        }
        $this->pay($this->services->attempts->current(9), 9);
        for ($number = 1; $number <= 101; $number += 1) {
            wc_create_refund(['order_id' => 9, 'amount' => '0.01']);
        }
        $this->compare();
        self::assertSame(['compared' => 4, 'failed' => 1], $this->totals());
        self::assertStringContainsString('Payments compared: 4; couldn’t be compared: 1', (new ReconciliationReport($this->services))->finding()['text']);
        self::assertStringContainsString('Order 9: reconciliation failed', $this->services->health->read('last_error')['text']);
        [$rejected, $accepted, $last] = $this->comparisons();
        self::assertCount(5, $rejected['orders']);
        self::assertSame([$tillgateIds[9]], $accepted['skipped_orders']);
        self::assertSame(['compared' => 4, 'skipped' => 1, 'completed' => true], $last['progress']);
        self::assertFalse($this->isRepeated(), 'The run would be repeated every hour.');
    }

    public function testComparesTheOtherPaymentsIfAnOrderCannotBeRead(): void
    {
        World::order(8);
        $unreadable = $this->start();
        $this->start(8);
        World::$orders[7]->modifiedAt = 'unreadable';
        $this->compare();
        self::assertSame(['compared' => 1, 'failed' => 1], $this->totals());
        self::assertSame([$unreadable->tillgateOrderId], $this->comparisons()[0]['skipped_orders']);
        self::assertTrue($this->isRepeated());
    }

    public function testTruncatesOrderNumberAndStatusAndOmitsALongOrderUrl(): void
    {
        $this->start();
        World::$orders[7]->number = str_repeat('é', 65);
        World::$orders[7]->status = str_repeat('s', 65);
        World::$orders[7]->editUrl = 'https://shop.example/' . str_repeat('a', 480);
        $this->compare();
        [$row] = $this->comparisons()[0]['orders'];
        self::assertSame([str_repeat('é', 64), null, str_repeat('s', 64)], [$row['order_number'], $row['order_url'], $row['shop_order']['status']]);
    }

    public function testReportsUnsentPaymentsAsSkippedInTheFirstCallThatSucceeds(): void
    {
        $skipped = [];
        for ($order = 1; $order <= 51; $order += 1) {
            World::order($order);
            $skipped[] = $this->start($order)->tillgateOrderId;
        }
        $compared = array_pop($skipped);
        World::$tillgate->failures = ['before', 'before'];
        $this->compare();
        [, , $first, $last] = $this->comparisons();
        self::assertSame([[$compared], $skipped], [array_column($first['orders'], 'order_id'), $first['skipped_orders']]);
        self::assertSame(['compared' => 1, 'skipped' => 50, 'completed' => false], $first['progress'], 'These are not the totals of this call.');
        self::assertSame([[], ['compared' => 1, 'skipped' => 50, 'completed' => true]], [$last['skipped_orders'], $last['progress']]);
    }

    public function testEndsARunWhileTillgateIsUnreachableAndRepeatsItLater(): void
    {
        for ($order = 1; $order <= 551; $order += 1) {
            World::order($order);
            $this->start($order);
        }
        World::$tillgate->failures = array_fill(0, 22, 'before');
        $this->compare();
        self::assertSame(['compared' => 0, 'failed' => 500], $this->totals());
        self::assertCount(20, $this->comparisons(), 'The run was continued.');
        self::assertTrue($this->isRepeated());
        World::$tillgate->failures = [];
        $this->compare();
        self::assertSame(['compared' => 551, 'failed' => 0], $this->totals());
        [$last] = array_slice($this->comparisons(), -1);
        self::assertSame(['compared' => 551, 'skipped' => 0, 'completed' => true], $last['progress']);
    }

    public function testRepeatsARunThatTillgateDidNotComplete(): void
    {
        $this->start();
        World::$tillgate->failures = [null, 'before', 'before'];
        $this->compare();
        self::assertSame(['compared' => 1, 'failed' => 0], $this->totals());
        self::assertTrue($this->isRepeated());
        (new Reconcile($this->services))->start();
        (new Reconcile($this->services))->advance();
        self::assertFalse($this->isRepeated());
    }

    public function testRetriesACallWhileTillgateIsBusy(): void
    {
        $this->start();
        World::$tillgate->failures = [['status' => 429, 'headers' => ['retry-after' => '1'], 'body' => '{"message":{"error":["Too many requests"]}}']];
        $this->compare();
        self::assertSame(['compared' => 1, 'failed' => 0], $this->totals());
        self::assertCount(3, $this->comparisons());
    }

    public function testAsksToUpdateATillgateServerThatCannotComparePayments(): void
    {
        for ($order = 1; $order <= 51; $order += 1) {
            World::order($order);
            $this->start($order);
        }
        World::$tillgate->isOutdated = true;
        $this->compare();
        self::assertCount(1, $this->comparisons(), 'The run was continued.');
        $finding = (new ReconciliationReport($this->services))->finding();
        self::assertFalse($finding['ok']);
        self::assertStringContainsString('the Tillgate server is out of date', $finding['text']);
        self::assertStringContainsString('Update the server', $finding['advice']);
        self::assertStringContainsString('Update the server', $this->renderReport());
        self::assertFalse($this->isRepeated(), 'The run would be repeated every hour.');
        World::$tillgate->isOutdated = false;
        $this->compare();
        self::assertTrue((new ReconciliationReport($this->services))->finding()['ok']);
    }

    public function testKeepsDifferencesWhileTillgateIsUnreachable(): void
    {
        World::order(8);
        $this->start();
        $this->start(8);
        $this->differIf('amount_differs', null);
        self::assertSame(['amount_differs' => null], $this->compare());
        World::$tillgate->failures = ['before', 'before', 'before', 'before'];
        self::assertSame(['amount_differs' => null], $this->compare());
        self::assertSame(['compared' => 0, 'failed' => 2], $this->totals());
        self::assertStringContainsString('couldn’t be compared: 2', (new ReconciliationReport($this->services))->finding()['text']);
        self::assertSame(2, $this->services->differences->count());
    }

    public function testDoesNotStoreADifferenceThatWasRepairedWhileItsBatchWasCompared(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        World::$orders[7]->status = 'pending';
        $isRepaired = false;
        World::$tillgate->findDifferences = function (array $order) use (&$isRepaired, $attempt): array {
            if (!$isRepaired) {
                $isRepaired = true;
                self::assertTrue($this->repair($attempt));
            }
            return $order['shop_order']['counts_as'] === 'pending' ? [FakeTillgate::difference('paid_shop_unpaid', 'apply_order')] : [];
        };
        self::assertSame([], $this->compare());
        $comparisons = $this->comparisons();
        [$last, $complete] = array_slice($comparisons, -2);
        self::assertSame([['processing'], true], [array_column(array_column($last['orders'], 'shop_order'), 'status'), $complete['progress']['completed']]);
        self::assertArrayNotHasKey('progress', $last, 'Tillgate keeps the repaired difference.');
        World::$orders[7]->status = 'pending';
        (new ComparePayments($this->services))->runOne($attempt);
        World::$tillgate->findDifferences = function () use ($attempt): array {
            World::$orders[7]->status = 'on-hold';
            World::$tillgate->findDifferences = static function (): array {
                return [FakeTillgate::difference('paid_shop_unpaid', 'apply_order')];
            };
            return [];
        };
        self::assertSame(['paid_shop_unpaid' => 'apply_order'], $this->compare(), 'A difference was lost.');
    }

    public function testHidesRefundDifferencesMarkedAsCorrectAndReportsThemToTillgate(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        $record = ['subject' => 'record', 'subject_id' => '9001', 'field' => 'refund'] + FakeTillgate::difference('refund_only_in_shop');
        World::$tillgate->findDifferences = static function () use ($record): array {
            return [FakeTillgate::difference('paid_shop_unpaid'), ['field' => 'refunded'] + FakeTillgate::difference('refunded_sum_differs'), $record];
        };
        self::assertCount(3, $this->compare());
        (new RefundDifferences($this->services))->perform(World::$orders[7], 'accept');
        $reported = current(array_slice($this->comparisons(), -1));
        self::assertArrayNotHasKey('progress', $reported, 'The acceptance was not reported to Tillgate immediately.');
        self::assertEquals([
            ['subject' => 'order', 'subject_id' => 'POS-20261121-000001', 'field' => 'refunded', 'kind' => 'refunded_sum_differs', 'text' => 'refunded_sum_differs in English'],
            ['subject' => 'record', 'subject_id' => '9001', 'field' => 'refund', 'kind' => 'refund_only_in_shop', 'text' => 'refund_only_in_shop in English'],
        ], $reported['orders'][0]['accepted']);
        $before = count($this->comparisons());
        self::assertSame(['paid_shop_unpaid' => null], $this->compare());
        self::assertEquals($reported['orders'][0]['accepted'], $this->comparisons()[$before]['orders'][0]['accepted']);
        self::assertCount($before + 2, $this->comparisons(), 'The acceptance was reported to Tillgate in a separate request again.');
        World::$tillgate->findDifferences = static function () use ($record): array {
            return [$record];
        };
        self::assertSame([], $this->compare());
        self::assertSame(0, $this->services->differences->count());
        self::assertStringNotContainsString('refund_only_in_shop', $this->renderReport());
        // The refund totals change, so the acceptance is withdrawn.
        $this->services->comparisons->saveResult($attempt->id, 100, 200, null);
        self::assertSame(['refund_only_in_shop' => null], $this->compare());
        self::assertArrayNotHasKey('accepted', current(array_slice($this->comparisons(), -2))['orders'][0]);
    }

    public function testMarksRefundDifferencesAsCorrectWhileTillgateIsUnreachable(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        World::$tillgate->findDifferences = static function (): array {
            return [['field' => 'refunded'] + FakeTillgate::difference('refunded_sum_differs')];
        };
        $this->compare();
        World::$tillgate->failures = ['before', 'before'];
        self::assertSame(OrderNotice::ACCEPTED, (new RefundDifferences($this->services))->perform(World::$orders[7], 'accept'));
        $before = count($this->comparisons());
        self::assertSame([], $this->compare());
        self::assertSame(
            [true, false],
            array_map(static function (array $body): bool {
                return isset($body['orders'][0]['accepted']);
            }, array_slice($this->comparisons(), $before))
        );
    }

    public function testShowsARefundDifferenceFoundAfterOthersWereMarkedAsCorrect(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        wc_create_refund(['order_id' => 7, 'amount' => '5.00']);
        $this->services->comparisons->saveResult($attempt->id, 500, 0, null);
        $found = [['subject' => 'record', 'subject_id' => '9001', 'field' => 'refund'] + FakeTillgate::difference('refund_only_in_shop')];
        World::$tillgate->findDifferences = static function () use (&$found): array {
            return $found;
        };
        (new RefundDifferences($this->services))->perform(World::$orders[7], 'accept');
        self::assertSame([], $this->compare());
        self::assertStringNotContainsString('Mark as correct', $this->renderRefundDifferences());
        $found[] = ['subject' => 'refund', 'subject_id' => 'REF-NEW', 'field' => 'refund'] + FakeTillgate::difference('refund_missing_in_shop', 'record_refund');
        $accepted = function (): array {
            $orders = array_merge(...array_column($this->comparisons(), 'orders'));
            return array_column(end($orders)['accepted'], 'subject_id');
        };
        self::assertSame(['refund_missing_in_shop' => 'record_refund'], $this->compare());
        self::assertSame(1, $this->services->differences->count());
        self::assertSame(['refund_missing_in_shop' => 'record_refund'], $this->compare());
        self::assertSame(['9001'], $accepted(), 'The new difference was reported to Tillgate as marked as correct.');
        $found[0]['text'] = 'The same refund, with another amount';
        self::assertCount(2, $this->compare());
        self::assertStringContainsString('Mark as correct', $this->renderRefundDifferences());
        (new RefundDifferences($this->services))->perform(World::$orders[7], 'accept');
        self::assertSame([], $this->compare());
        self::assertSame(['9001', 'REF-NEW'], $accepted());
    }

    public function testAsksAgainIfDifferencesWereFoundOnlyAfterTheMerchantMarkedTheTotalsAsCorrect(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        $this->services->comparisons->saveResult($attempt->id, 500, 0, null);
        World::$tillgate->findDifferences = static function (): array {
            return [['field' => 'refunded'] + FakeTillgate::difference('refunded_sum_differs')];
        };
        World::$tillgate->failures = ['before', 'before'];
        (new RefundDifferences($this->services))->perform(World::$orders[7], 'accept');
        self::assertStringNotContainsString('Mark as correct', $this->renderRefundDifferences());
        self::assertSame(['refunded_sum_differs' => null], $this->compare());
        self::assertStringContainsString('Mark as correct', $this->renderRefundDifferences());
        (new RefundDifferences($this->services))->perform(World::$orders[7], 'accept');
        self::assertSame([], $this->compare());
    }

    /** @dataProvider runs */
    public function testRunsNightlyCatchesUpOnMissedNightsAndRetriesAfterFailures(?int $hoursAgo, bool $isUnderWay, int $hour, bool $isDue, bool $retry = false): void
    {
        $now = 1800000000;
        $last = $hoursAgo === null ? null : ['begun_at' => $now - $hoursAgo * 3600, 'retry' => $retry, 'ended_at' => $isUnderWay ? null : $now];
        self::assertSame($isDue, Reconcile::isDue($last, $now, $hour));
    }

    public function runs(): array
    {
        return [
            'first run' => [null, false, 12, true],
            'daytime after a nightly run' => [20, false, 12, false],
            'night, too early' => [17, false, 3, false],
            'night' => [18, false, 3, true],
            'daytime after a missed night' => [30, false, 12, true],
            'in progress' => [40, true, 3, false],
            'retry after a failure' => [1, false, 12, true, true],
            'too early for a retry' => [0, false, 12, false, true],
        ];
    }

    public function testReportsDifferencesOnTheStatusPageAndInAlerts(): void
    {
        $attempt = $this->start();
        $this->pay($attempt);
        $this->differIf('amount_differs', null);
        $this->compare();
        $bad = array_filter((new HealthFindings($this->services))->all(), static function (array $finding): bool {
            return $finding['name'] === 'books' && !$finding['ok'] && strpos($finding['text'], '1 to review') === 0;
        });
        self::assertCount(1, $bad);
        (new Alerts($this->services->settings))->update($bad);
        self::assertStringContainsString('1 to review', Alerts::active()['books']['text']);
    }

    /** @return array<string, string|null> the repairs, by difference */
    private function compare(): array
    {
        World::$options[Reconcile::OPTION] = null;
        (new Reconcile($this->services))->advance();
        $found = array_merge([], ...array_column($this->services->differences->listLatest(10), 'found'));
        return array_column($found, 'repair', 'kind');
    }

    /** Has Tillgate find this difference in each order that `$isDifferent` accepts. @param callable|null $isDifferent null: in every order */
    private function differIf(string $kind, ?string $repair, ?callable $isDifferent = null, array $values = []): void
    {
        World::$tillgate->findDifferences = static function (array $order) use ($kind, $repair, $isDifferent, $values): array {
            return $isDifferent === null || $isDifferent($order) ? [FakeTillgate::difference($kind, $repair, $values)] : [];
        };
    }

    /** @return array<int, array<string, mixed>> the bodies of all comparisons, in order */
    private function comparisons(): array
    {
        return World::$tillgate->requestBodies('PUT /comparisons/' . gmdate('Y-m-d'));
    }

    /** @return array{compared: int, failed: int} of the last run */
    private function totals(): array
    {
        return array_intersect_key((array) Reconcile::lastRun(), ['compared' => 0, 'failed' => 0]);
    }

    /** Returns whether a repeat of the last run would be due an hour after that run started. */
    private function isRepeated(): bool
    {
        $run = (array) Reconcile::lastRun();
        return Reconcile::isDue($run, $run['begun_at'] + 3600, 12);
    }

    private function connect(string $clientId): void
    {
        World::$tillgate->clients[$clientId] = "tgs_test_of-$clientId";
        Credentials::save('sandbox', $clientId, World::$tillgate->clients[$clientId], World::ADDRESS);
        World::$options['woocommerce_tillgate_settings']['client_id'] = $clientId;
    }

    private function repair(Attempt $attempt, string $subject = 'order', string $id = 'POS-20261121-000001', string $field = 'state'): bool
    {
        $now = $this->services->attempts->byId($attempt->id);
        return (new RepairDifference($this->services))->run($now, $subject, $id, $field);
    }

    private function renderReport(): string
    {
        ob_start();
        (new ReconciliationReport($this->services))->showAll();
        return (string) ob_get_clean();
    }

    private function renderRefundDifferences(): string
    {
        ob_start();
        (new RefundDifferences($this->services))->show(World::$orders[7]);
        return (string) ob_get_clean();
    }

    private function start(int $orderId = 7): Attempt
    {
        return (new StartPayment($this->services))->run($orderId);
    }

    private function pay(Attempt $attempt, int $orderId = 7): void
    {
        World::$tillgate->pay((string) $attempt->tillgateOrderId);
        (new CheckAttempt($this->services))->run($attempt);
        World::$tillgate->orders[$attempt->tillgateOrderId]['paid_at'] = '2026-11-21T00:00:00+00:00';
        World::$orders[$orderId]->notes = [];
    }
}
