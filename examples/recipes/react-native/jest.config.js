module.exports = {
  preset: '@react-native/jest-preset',
  setupFiles: ['./jest.setup.js'],
  // The first test also loads React Native.
  testTimeout: 60_000,
};
