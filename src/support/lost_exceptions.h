// Exceptions that nothing catches are bugs, as a failed HLOCC_CHECK is: our code throws nothing,
// and the rooms that call libraries which do catch them there.
#pragma once

namespace hlocc {

// From here on such an exception ends the process with its type as the message, and exit code 3.
void end_at_lost_exceptions();

}  // namespace hlocc
