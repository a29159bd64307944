// Node runs the files as they are. With Babel, SWC or ts-jest, keep your transform for your own files.
export default { transform: {} };
