// As on a device, where the SDK rejects an API key: Jest's preset of React Native has the navigator of Node.
Object.defineProperty(navigator, 'product', { value: 'ReactNative' });
