// The files of the page that verify --html writes; page.cpp is made of them.
#pragma once

namespace fencepost::cli {

extern const char* const page_html;
extern const char* const page_css;
extern const char* const page_js;
// What the page of the certificate has on top of page_css.
extern const char* const certificate_css;

}  // namespace fencepost::cli
