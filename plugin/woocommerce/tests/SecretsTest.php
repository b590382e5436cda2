<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Log;
use Tillgate\WooCommerce\Shop\SecretBox;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\Shop\SettingsStorage;

final class SecretsTest extends TestCase
{
    public function testStoresNoSecretUnencrypted(): void
    {
        World::reset();
        $settings = (new SettingsStorage())->extractSecret([
            'mode' => 'sandbox',
            'client_id' => World::CLIENT,
            'client_secret' => 'a new secret',
        ]);
        self::assertSame('', $settings['client_secret']);
        self::assertSame('a new secret', Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        self::assertStringNotContainsString('a new secret', serialize(World::$options));
        self::assertStringNotContainsString(World::SECRET, serialize(World::$options));
    }

    public function testKeepsTheStoredSecretIfTheFieldIsEmpty(): void
    {
        World::reset();
        (new SettingsStorage())->extractSecret(['mode' => 'sandbox', 'client_id' => World::CLIENT, 'client_secret' => '']);
        self::assertSame(World::SECRET, Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        self::assertCount(1, World::$options[Credentials::OPTION]);
    }

    public function testIgnoresSecretsWithoutAServerUrl(): void
    {
        $services = World::reset();
        unset(World::$options[Credentials::OPTION][0]['address']);
        self::assertSame([], Credentials::all());
        self::assertStringContainsString('Enter the client secret', (string) $services->settings->setupError());
    }

    public function testReportsASecretThatIsUnreadableAfterASaltChange(): void
    {
        $services = World::reset();
        self::assertNull($services->settings->setupError());
        World::$salt = 'another salt';
        self::assertNull(Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        self::assertStringContainsString('salts', (string) $services->settings->setupError());
    }

    public function testRejectsATamperedSecret(): void
    {
        World::reset();
        $sealed = SecretBox::seal('secret');
        self::assertSame('secret', SecretBox::open($sealed));
        self::assertNotSame($sealed, SecretBox::seal('secret'));
        $changed = $sealed;
        $changed[20] = $changed[20] === 'A' ? 'B' : 'A';
        self::assertNull(SecretBox::open($changed));
        self::assertNull(SecretBox::open('secret'));
    }

    public function testMasksSecretsInTheLog(): void
    {
        World::reset();
        (new Log())->error('rejected ' . World::SECRET . ' and Authorization: Basic ' . base64_encode('id:' . World::SECRET));
        self::assertSame(['error: rejected [masked] and Authorization: Basic [masked]'], World::$log);
    }

    public function testNamesClientIdAndModeOfAPaymentWhoseKeysAreMissing(): void
    {
        $services = World::reset();
        foreach (['live' => 'tg_live_gone (live mode)', 'sandbox' => 'tg_sandbox_gone (test mode)'] as $mode => $expected) {
            // Keys of another mode or account cannot stand in for the payment's own.
            World::$options[Credentials::OPTION] = [];
            try {
                $services->settings->clientsFor($mode, strtok($expected, ' '));
                self::fail('No error.');
            } catch (PluginError $error) {
                self::assertStringContainsString($expected, $error->getMessage());
            }
        }
    }

    public function testFindsSecretsOnlyForTheirOwnMode(): void
    {
        World::reset();
        Credentials::save('live', 'tg_live_1', 'live secret', World::ADDRESS);
        self::assertSame(['live secret'], array_column(Credentials::forClient('live', 'tg_live_1'), 'secret'));
        self::assertSame([World::SECRET], array_column(Credentials::forClient('sandbox', World::CLIENT), 'secret'));
        self::assertSame([], array_column(Credentials::forClient('live', World::CLIENT), 'secret'));
    }

    public function testDoesNotReuseASecretForAnotherModeOrClientId(): void
    {
        World::reset();
        self::save(['mode' => 'live', 'client_id' => 'tg_live_1']);
        self::assertNull(Credentials::currentSecret('live', 'tg_live_1', World::ADDRESS));
        self::assertFalse(Credentials::isStored('live', 'tg_live_1', World::ADDRESS));
        self::save(['mode' => 'sandbox', 'client_id' => 'tg_test_2']);
        self::assertNull(Credentials::currentSecret('sandbox', 'tg_test_2', World::ADDRESS));
        // Valid again for the mode and client ID it was entered for.
        self::save(['mode' => 'sandbox', 'client_id' => World::CLIENT]);
        self::assertSame(World::SECRET, Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        self::assertSame([], Credentials::retired());
    }

    public function testClearsTheClientIdWhenSwitchingToAModeWithoutKeys(): void
    {
        World::reset();
        $before = World::$options['woocommerce_tillgate_settings'];
        self::assertSame('', self::save(['mode' => 'live'] + $before)['client_id']);
        $missing = 'Enter the Tillgate URL, client ID and client secret.';
        self::assertSame($missing, (new Settings())->setupError());
        self::assertSame(World::CLIENT, self::save(['mode' => 'sandbox', 'client_id' => ''] + $before)['client_id']);
        self::assertNull((new Settings())->setupError());
        // A client ID without a secret may be meant for the new mode.
        self::save(['client_id' => 'tg_live_1'] + $before);
        self::assertSame('tg_live_1', self::save(['mode' => 'live', 'client_id' => 'tg_live_1'] + $before)['client_id']);
    }

    public function testAssignsASecretToAClientIdSavedLater(): void
    {
        World::reset();
        World::$options = [];
        self::save(['client_secret' => 'early secret']);
        self::assertStringNotContainsString('early secret', serialize(World::$options));
        self::save(['mode' => 'sandbox', 'client_id' => World::CLIENT]);
        self::assertSame('early secret', Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        self::assertSame([], array_column(Credentials::forClient('sandbox', ''), 'secret'));
    }

    public function testChangesTheOptionWhenOnlyTheSecretIsSaved(): void
    {
        World::reset();
        $before = World::$options['woocommerce_tillgate_settings'] + ['client_secret' => ''];
        $after = (new SettingsStorage())->extractSecret(['client_secret' => 'another secret'] + $before, $before);
        self::assertNotSame($before, $after);
        self::assertSame('', $after['client_secret']);
        self::assertStringNotContainsString('another secret', serialize($after));
        self::assertSame('another secret', Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        // Saving without a secret doesn't change the option.
        self::assertSame($after, (new SettingsStorage())->extractSecret($after, $after));
    }

    public function testOmitsTheSecretFromTheRestResponse(): void
    {
        World::reset();
        $gateway = new \WC_Payment_Gateway();
        $received = ['client_secret' => 'another secret'] + World::$options['woocommerce_tillgate_settings'];
        $gateway->settings = $received;
        $taken = (new SettingsStorage())->extractSecretFromRest($received, $gateway);
        self::assertSame('', $gateway->settings['client_secret']);
        self::assertSame($taken, (new SettingsStorage())->extractSecret($taken, []), 'Saving the filtered settings again changes nothing.');
        self::assertSame('another secret', Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
    }

    /** @return array<string, array{string}> */
    public static function secretsAsClientIds(): array
    {
        return [
            'a client secret' => ['tgs_live_abcdefghijklmnop'],
            'an API token' => ['tgt_test_abcdefghijklmnop'],
            'a webhook endpoint secret' => ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
            'the stored secret' => [World::SECRET],
        ];
    }

    /** @dataProvider secretsAsClientIds */
    public function testRejectsASecretPastedAsClientId(string $secret): void
    {
        World::reset();
        $settings = self::save(['mode' => 'sandbox', 'client_id' => $secret]);
        self::assertSame(World::CLIENT, $settings['client_id']);
        self::assertStringNotContainsString($secret, serialize(World::$options) . serialize($settings));
        self::assertSame(World::SECRET, Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        $result = $this->rest(['client_id' => $secret]);
        self::assertStringContainsString('client secret, not a client ID', $result->get_error_message());
        self::assertStringNotContainsString($secret, $result->get_error_message());
    }

    public function testRejectsAClientIdPastedAsSecret(): void
    {
        World::reset();
        self::save(['mode' => 'sandbox', 'client_id' => World::CLIENT, 'client_secret' => 'tg_live_4f6b']);
        self::assertSame(World::SECRET, Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        self::assertStringContainsString('not a client secret', $this->rest(['client_secret' => 'tg_live_4f6b'])->get_error_message());
        self::assertNull($this->rest(['client_id' => 'tg_live_4f6b', 'client_secret' => 'tgs_live_abc']));
    }

    /** @param array<string, string> $settings */
    private static function save(array $settings): array
    {
        $before = World::$options['woocommerce_tillgate_settings'] ?? [];
        $saved = (new SettingsStorage())->extractSecret($settings + ['address' => World::ADDRESS], $before);
        return World::$options['woocommerce_tillgate_settings'] = $saved;
    }

    /** @param array<string, string> $settings */
    private function rest(array $settings): ?\WP_Error
    {
        $request = new \WP_REST_Request([], '', '/wc/v3/payment_gateways/tillgate');
        $request['settings'] = $settings;
        return (new SettingsStorage())->rejectInRest(null, [], $request);
    }
}
