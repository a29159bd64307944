// Sets the value that a device has, so that the SDK rejects an API key. Jest's preset of React Native has the navigator of Node.
Object.defineProperty(navigator, 'product', { value: 'ReactNative' });
