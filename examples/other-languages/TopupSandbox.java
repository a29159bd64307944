import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;

/** A sandbox for all tests of a JVM. It starts when a test first reads a constant, and stops with the JVM. */
public final class TopupSandbox {
    public static final String BASE_URL;
    public static final String API_KEY;
    /** Kept: the server stops when the pipe to it is collected. */
    private static final Process SERVER;

    static {
        try {
            SERVER = new ProcessBuilder(
                    "topup", "serve", "--sandbox", "--store", "memory:", "--port", "0", "--print-json")
                    .redirectError(Redirect.INHERIT).start();
            String line = SERVER.inputReader().readLine();
            if (line == null) throw new IOException("The sandbox did not start; its message is above.");
            BASE_URL = line.replaceFirst(".*\"base_url\":\"([^\"]+).*", "$1");
            API_KEY = line.replaceFirst(".*\"api_key\":\"([^\"]+).*", "$1");
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
